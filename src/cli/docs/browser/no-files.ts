function refuse(): never {
  throw new Error("A page reads no files");
}

/** Replaces Node's modules in the pages' scripts: libraries import them, and pages never call them. */
export {
  refuse as createReadStream,
  refuse as fileURLToPath,
  refuse as lstat,
  refuse as pathToFileURL,
  refuse as readlink,
};
