import { check, evaluate, fail, type FailedAlternative, type Keyword, type Rules, type Run } from "./run.js";
import { RULES, type WithRules } from "./schema.js";

/** A reference to another schema. */
export function ref({ [RULES]: getRules, name }: WithRules): Keyword {
  return {
    name,
    check: (value, run) => check(getRules(), value, run),
    evaluate: (value, run, found) => {
      evaluate(getRules(), value, run, found);
    },
  };
}

/** A reference to a schema that refers to itself, directly or through others. */
export function recursive(schema: WithRules): Keyword {
  return { ...ref(schema), check: (value, run) => run.once(schema[RULES](), value) };
}

export const allOf = (...parts: readonly Rules[]): Keyword => ({
  check: (value, run) =>
    check(
      parts.map((part) => toKeyword(part)),
      value,
      run,
    ),
  evaluate: (value, run, found) => {
    for (const part of parts) evaluate(part, value, run, found);
  },
});

const toKeyword = (rules: Rules): Keyword => ({ check: (value, run) => check(rules, value, run) });

function evaluateValid(alternatives: readonly Rules[]): NonNullable<Keyword["evaluate"]> {
  return (value, run, found) => {
    for (const rules of alternatives)
      if (run.once(rules, value) === undefined) evaluate(rules, value, run, found);
  };
}

function listFailed(alternatives: readonly Rules[], value: unknown, run: Run): readonly FailedAlternative[] {
  return alternatives.map((rules) => ({
    name: getName(rules),
    failures: rules === false ? undefined : (run.once(rules, value) ?? []),
  }));
}

function getName(rules: Rules | undefined): string | undefined {
  if (rules === undefined || typeof rules === "boolean") return undefined;
  return rules.find(({ name }) => name !== undefined)?.name;
}

export const anyOf = (...alternatives: readonly Rules[]): Keyword => ({
  check: (value, run) =>
    alternatives.some((rules) => run.once(rules, value) === undefined)
      ? undefined
      : fail("anyOf", { alternatives: listFailed(alternatives, value, run) }),
  evaluate: evaluateValid(alternatives),
});

export const oneOf = (...alternatives: readonly Rules[]): Keyword => ({
  check(value, run) {
    const passing: number[] = [];
    for (const [index, rules] of alternatives.entries())
      if (passing.length < 2 && run.once(rules, value) === undefined) passing.push(index);
    if (passing.length === 1) return undefined;
    if (passing.length === 0) return fail("oneOf", { alternatives: listFailed(alternatives, value, run) });
    return fail("oneOf", {
      params: { passingSchemas: passing },
      alternatives: alternatives.map((rules) => ({ name: getName(rules), failures: [] })),
    });
  },
  evaluate: evaluateValid(alternatives),
});

export const not = (rules: Rules): Keyword => ({
  check: (value, run) =>
    run.once(rules, value) === undefined ? fail("not", { message: "must not be valid" }) : undefined,
});

/** `if`, `then` and `else`. */
function condition(rules: Rules, consequence: Rules = true, otherwise: Rules = true): Keyword {
  return {
    check(value, run) {
      const isMet = run.once(rules, value) === undefined;
      const failures = check(isMet ? consequence : otherwise, value, run);
      const message = `must match "${isMet ? "then" : "else"}" schema`;
      return failures && [...failures, ...fail("if", { message })];
    },
    evaluate(value, run, found) {
      const isMet = run.once(rules, value) === undefined;
      if (isMet) evaluate(rules, value, run, found);
      evaluate(isMet ? consequence : otherwise, value, run, found);
    },
  };
}
export { condition as if };
