/**
 * Uses the storage that keeps choices of the reader across pages: never a key. Pages from a folder on disk, and where the reader blocks
 * it, may have no storage: then a choice lasts as long as the page.
 */
export function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
