// @thorough, 150 s: runs every command of half of the guide.
import { followPages } from "./follow.js";

followPages((name) => name >= "s");
