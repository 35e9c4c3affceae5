// @slow: type-checks what a form and a tRPC router infer.
import { describe, expect, test } from "@jest/globals";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { FormApi } from "@tanstack/form-core";
import { initTRPC } from "@trpc/server";
import { createFormControl } from "react-hook-form";
import * as everyday from "../../fixtures/everyday/generated/schemas.js";

describe("TanStack Form", () => {
  test("shows the problems of each field, and submits a valid form", async () => {
    const submitted: unknown[] = [];
    const defaultValues: Parameters<typeof toForm>[0] = { sku: "x", count: 0 };
    const form = toForm(defaultValues, (value) => submitted.push(value));
    const unmount = form.mount();
    await form.handleSubmit();
    expect(submitted).toEqual([]);
    const fields = form.state.errorMap.onChange as Readonly<Record<string, readonly { message: string }[]>>;
    expect(Object.entries(fields).map(([name, [issue]]) => `${name} ${issue?.message ?? ""}`)).toEqual([
      'sku must match pattern "^[a-z]{3}-[0-9]{1,4}$"',
      "count must be at least 1",
    ]);
    form.setFieldValue("sku", "abc-1");
    form.setFieldValue("count", 2);
    await form.handleSubmit();
    expect(submitted).toEqual([{ sku: "abc-1", count: 2 }]);
    unmount();
  });
});

function toForm(defaultValues: { sku: string; count: number }, submit: (value: unknown) => void) {
  return new FormApi({
    defaultValues,
    validators: { onChange: everyday.setLineBody },
    onSubmit: ({ value }) => {
      submit(value);
    },
  });
}

describe("React Hook Form", () => {
  test("shows the problems of each field, and submits the value with its defaults", async () => {
    const submitted: unknown[] = [];
    const { handleSubmit, setValue } = createFormControl({
      resolver: standardSchemaResolver(everyday.setLineBody),
      defaultValues: { sku: "x", count: 0 },
    });
    const submit = handleSubmit(
      ({ unit, ...others }) => {
        // The output has the default, and so the type has no undefined.
        const known: "piece" | "box" = unit;
        submitted.push({ ...others, unit: known });
      },
      ({ sku, count }) => {
        submitted.push([sku?.message, count?.message]);
      },
    );
    await submit();
    setValue("sku", "abc-1");
    setValue("count", 2);
    await submit();
    expect(submitted).toEqual([
      ['must match pattern "^[a-z]{3}-[0-9]{1,4}$"', "must be at least 1"],
      { sku: "abc-1", count: 2, unit: "piece" },
    ]);
  });
});

describe("tRPC", () => {
  const t = initTRPC.create();
  const router = t.router({
    setLine: t.procedure.input(everyday.setLineBody).query(({ input }) => {
      // The output has the default, and so the type has no undefined.
      const unit: "piece" | "box" = input.unit;
      return unit;
    }),
  });
  const caller = t.createCallerFactory(router)({});

  test("gets the value with its defaults", async () => {
    expect(await caller.setLine({ sku: "abc-1", count: 2 })).toBe("piece");
    expect(await caller.setLine({ sku: "abc-1", count: 2, unit: "box" })).toBe("box");
  });

  test("refuses an invalid input, with the problems", async () => {
    await expect(caller.setLine({ sku: "abc-1", count: 0 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      cause: { issues: [{ path: ["count"], message: "must be at least 1" }] },
    });
    // @ts-expect-error -- `count` is a number
    await expect(caller.setLine({ sku: "abc-1", count: "2" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
