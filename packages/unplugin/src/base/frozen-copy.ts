/**
 * Copies the plain objects and lists of a value and freezes them, so that all that is made of them can be kept by the
 * copy. Other parts stay as they are.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozenCopy(each)]))) as Value
}
