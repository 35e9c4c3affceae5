// See `imports` of package.json and decisions/0010-generation-speed.md. The parts that emit/types.ts uses, each from its own file:
// the package's index loads an older Redocly too, for what is not used here.
const text = require("openapi-typescript/dist/lib/ts.cjs");

exports.addJSDocComment = text.addJSDocComment;
exports.oapiRef = text.oapiRef;
exports.tsPropertyIndex = text.tsPropertyIndex;
exports.transformHeaderObject = require("openapi-typescript/dist/transform/header-object.cjs");
exports.transformOperationObject = require("openapi-typescript/dist/transform/operation-object.cjs").default;
exports.transformParameterObject = require("openapi-typescript/dist/transform/parameter-object.cjs");
exports.transformPathItemObject = require("openapi-typescript/dist/transform/path-item-object.cjs");
exports.transformRequestBodyObject = require("openapi-typescript/dist/transform/request-body-object.cjs");
exports.transformResponseObject = require("openapi-typescript/dist/transform/response-object.cjs");
exports.transformSchemaObject = require("openapi-typescript/dist/transform/schema-object.cjs").default;
