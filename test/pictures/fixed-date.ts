import { INSTANT } from './instant.ts';

const RealDate = Date;
const begun = RealDate.now();
const now = (): number => INSTANT + RealDate.now() - begun;

/** Loaded before the demonstration: its service begins at the instant of the pictures, and goes on from there. */
class ShiftedDate extends RealDate {
  constructor(...values: [] | [year: number, month: number]) {
    if (values.length === 0) super(now());
    else super(...values);
  }

  static override now(): number {
    return now();
  }
}
Reflect.set(globalThis, 'Date', ShiftedDate);
