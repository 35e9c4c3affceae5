import type { Command } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
}

/** Writes a shell script that completes the commands and options of `tenon`. */
export function writeCompletion(shell: Shell, program: Command): string {
  const commands = program.commands.map(toWords);
  switch (shell) {
    case "bash":
      return writeBash(commands);
    case "zsh":
      // zsh can run the script for bash.
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${writeBash(commands)}`;
    case "fish":
      return writeFish(commands);
  }
}

function toWords(command: Command): CommandWords {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.map(({ long, description }) => ({ flag: long ?? "", description })),
  };
}

/** Any other word is completed as a file. */
function writeBash(commands: readonly CommandWords[]): string {
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words="${options.map(({ flag }) => flag).join(" ")} --help" ;;`,
  );
  return `_tenon() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
    1:*) words="${commands.map(({ name }) => name).join(" ")} --help --version" ;;
    *:*) case "\${COMP_WORDS[1]}" in
${cases.map((line) => `  ${line}`).join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "$COMP_CWORD" -gt 1 ] && [ "\${word:0:1}" != - ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _tenon tenon
`;
}

function writeFish(commands: readonly CommandWords[]): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  return commands
    .flatMap(({ name, description, options }) => [
      `complete -c tenon -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
      ...options.map(
        ({ flag, description: text }) =>
          `complete -c tenon -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${quote(text)}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
