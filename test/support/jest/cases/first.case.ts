import { declareCases } from "./declare.js";

declareCases("first");
