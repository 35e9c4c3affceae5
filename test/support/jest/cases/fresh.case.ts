// @fresh: compares its sources with those of the others.
import { declareCases } from "./declare.js";

declareCases("fresh");
