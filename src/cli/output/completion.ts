import type { Command, Option } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

/** Writes a shell script that completes the commands and options of `tenon`. */
export function writeCompletion(shell: Shell, program: Command): string {
  const { commands } = program;
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

/** Any other word is completed as a file. */
function writeBash(commands: readonly Command[]): string {
  const cases = commands.map(
    (command) => `    ${command.name()}) words="${command.options.map(toFlag).join(" ")} --help" ;;`,
  );
  return `_tenon() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
    1:*) words="${commands.map((command) => command.name()).join(" ")} --help --version" ;;
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

function toFlag({ long }: Option): string {
  return long ?? "";
}

function writeFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  return commands
    .flatMap((command) => [
      `complete -c tenon -n __fish_use_subcommand -f -a ${command.name()} -d ${quote(command.description())}`,
      ...command.options.map(
        (option) =>
          `complete -c tenon -n '__fish_seen_subcommand_from ${command.name()}' -l ${toFlag(option).slice(2)} -d ${quote(option.description)}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
