const STATUSES = ["available", "pending", "sold"];

/** The animal at a place of the list that every benchmark starts with. */
export function toSeed(index) {
  return { name: `Pet number ${index + 1}`, categoryId: (index % 17) + 1, status: STATUSES[index % 3] };
}
