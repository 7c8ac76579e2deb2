/*
 * What RxDB loads in the build in place of Mingo (vite.config.ts), which knows all of MongoDB's queries: the application
 * asks for whole collections, and RxDB itself for its own few. Any other query is refused as it is made.
 */

type Test = (value: unknown) => boolean;
type Operator = (operand: unknown) => Test;

/** As in MongoDB values of two kinds have no order. */
const ordered =
  (holds: (order: number) => boolean): Operator =>
  (operand) =>
  (value) =>
    typeof value === typeof operand && holds(compare(value, operand));

const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: (operand) => (value) => value === operand,
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
};

interface Query {
  test(document: unknown): boolean;
}

export { queryOf as getMingoQuery };

function queryOf(selector: unknown): Query {
  const tests = Object.entries(isGroup(selector) ? selector : refuse(selector)).map(
    ([key, operand]) => {
      if (key === '$or' || key === '$and') return combined(key, operand);
      if (key.startsWith('$')) return refuse(key);
      const path = key.split('.');
      const holds = conditionOf(operand);
      return (document: unknown) => holds(path.reduce(partOf, document));
    },
  );
  return { test: (document) => tests.every((holds) => holds(document)) };
}

function combined(key: '$and' | '$or', operand: unknown): Test {
  if (!Array.isArray(operand)) return refuse(key);
  const queries = operand.map(queryOf);
  return key === '$and'
    ? (document) => queries.every((query) => query.test(document))
    : (document) => queries.some((query) => query.test(document));
}

function conditionOf(operand: unknown): Test {
  if (!isGroup(operand)) return isSingle(operand) ? (value) => value === operand : refuse(operand);
  const tests = Object.entries(operand).map(([name, of]) => {
    const operator = isSingle(of) ? OPERATORS[name] : undefined;
    return operator === undefined ? refuse(name) : operator(of);
  });
  return (value) => tests.every((holds) => holds(value));
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSingle = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const partOf = (whole: unknown, key: string): unknown =>
  isGroup(whole) ? Reflect.get(whole, key) : undefined;

function refuse(what: unknown): never {
  throw new Error(`no query of this application asks for ${JSON.stringify(what)}`);
}

/** The order of two values of one kind, as RxDB sorts by it. */
export function compare(a: unknown, b: unknown): number {
  if (!isSingle(a) || !isSingle(b) || a === b) return 0;
  return a < b ? -1 : 1;
}
