// See `imports` of package.json and decisions/0010-generation-speed.md. In one step, so that Node finds its exports' names.
export = require("openapi-typescript");
