// See `imports` of package.json and decisions/0010-generation-speed.md. Only what turns pieces into types: the whole package loads
// a linter and bundler of its own, which takes 0.1 s. Its `exports` permit every file.
import type whole = require("openapi-typescript");

const { addJSDocComment, oapiRef, tsPropertyIndex } =
  require("openapi-typescript/dist/lib/ts.cjs") as typeof whole;
const { default: transformOperationObject } =
  require("openapi-typescript/dist/transform/operation-object.cjs") as {
    default: typeof whole.transformOperationObject;
  };
const { default: transformSchemaObject } = require("openapi-typescript/dist/transform/schema-object.cjs") as {
  default: typeof whole.transformSchemaObject;
};
const transformHeaderObject =
  require("openapi-typescript/dist/transform/header-object.cjs") as typeof whole.transformHeaderObject;
const transformParameterObject =
  require("openapi-typescript/dist/transform/parameter-object.cjs") as typeof whole.transformParameterObject;
const transformPathItemObject =
  require("openapi-typescript/dist/transform/path-item-object.cjs") as typeof whole.transformPathItemObject;
const transformRequestBodyObject =
  require("openapi-typescript/dist/transform/request-body-object.cjs") as typeof whole.transformRequestBodyObject;
const transformResponseObject =
  require("openapi-typescript/dist/transform/response-object.cjs") as typeof whole.transformResponseObject;

// In this form Node finds the names without running it.
export = {
  addJSDocComment,
  oapiRef,
  transformHeaderObject,
  transformOperationObject,
  transformParameterObject,
  transformPathItemObject,
  transformRequestBodyObject,
  transformResponseObject,
  transformSchemaObject,
  tsPropertyIndex,
};
