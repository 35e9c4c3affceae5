// See `imports` of package.json and decisions/0010-generation-speed.md. In two steps, so that Node does not read all of it to
// find its exports' names: only the default is imported.
import ts = require("typescript");
export = ts;
