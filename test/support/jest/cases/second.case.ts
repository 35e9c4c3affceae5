import { declareCases } from "./declare.js";

declareCases("second");
