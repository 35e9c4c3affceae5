import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  // The template is no program before a service is made of it; the test of the package compiles that one.
  {
    ignores: ["**/dist/", "generated/", "src/cli/template/", "test/**/generated/", "data/", "coverage/"],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      // The root's own, not that of each workspace: it reads the sources of the others, which need not be built.
      parserOptions: {
        project: ["tsconfig.json", "src/cli/docs/browser/tsconfig.json", "test/apps/react/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Express's Request and Response are interfaces over Node's classes; passing them to Node is what they are for.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      eqeqeq: "error",
      "no-console": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    // A CommonJS file has no other way to import.
    files: ["**/*.{cjs,cts}"],
    languageOptions: { globals: { __dirname: "readonly", module: "writable", require: "readonly" } },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  {
    files: ["**/*.{cjs,js,mjs}"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: Object.fromEntries(
        ["Buffer", "console", "performance", "process", "URL", "URLSearchParams"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
    rules: { "no-console": "off" },
  },
);
