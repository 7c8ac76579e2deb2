/* What RxDB loads in place of `event-reduce-js` (vite.config.ts): its option `eventReduce` is off (`database.ts`). */

const isOff = (): never => {
  throw new Error('eventReduce is off');
};

export { isOff as calculateActionName, isOff as runAction };
