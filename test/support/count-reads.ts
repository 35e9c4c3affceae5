/** Wraps a JSON value so that every read of a member or an item is counted, at any depth. */
export function countReads<Value extends object>(value: Value): { value: Value; count: () => number } {
  let reads = 0;
  const wrapped = new WeakMap<object, object>();
  const wrap = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    const proxy =
      wrapped.get(node) ??
      new Proxy(node, {
        get(target, key, receiver) {
          reads += 1;
          return wrap(Reflect.get(target, key, receiver));
        },
      });
    wrapped.set(node, proxy);
    return proxy;
  };
  return { value: wrap(value) as Value, count: () => reads };
}
