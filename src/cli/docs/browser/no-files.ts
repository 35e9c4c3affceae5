function refuse(): never {
  throw new Error("A page reads no files");
}

/** What stands in the pages' scripts for Node's modules that libraries import and pages never call. */
export {
  refuse as createReadStream,
  refuse as fileURLToPath,
  refuse as lstat,
  refuse as pathToFileURL,
  refuse as readlink,
};
