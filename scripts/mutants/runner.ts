import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  inject,
  TestRunner,
  type RunnerTask,
  type RunnerTestCase,
  type TestTryOptions,
} from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of findings, a line each: the number of a mutant and a `Finding`. */
    mutantLog: string;
  }
}

/** Run while files were loaded, run by a test, noticed by one. */
type Finding = 'loaded' | 'covered' | 'killed';

/** So many times as often as in the unchanged code the places of mutants may run: more is an endless loop. */
const HIT_FACTOR = 20;
const MAX_TRIES = 1_000_000;

/** A test that works for longer, in microseconds, is not played for each mutant. */
const MAX_WORK_US = 1_000_000;

/** Mutants reached while files were loaded, and how often the current test reached each. */
const loaded = new Set<number>();
let hits = new Map<number, number>();
let isTesting = false;
let active: number | undefined;
let hitsLeft = 0;
/** A changed value may keep a loop elsewhere from its end: all places are counted, too. */
let allHits = 0;
let allHitsLeft = 0;
let begun = process.cpuUsage();

Object.assign(globalThis, {
  /** Whether the code is to be the mutant's: the question that `mutate` has put into the sources. */
  __mutant: (id: number): boolean => {
    if (active === undefined) {
      if (isTesting) hits.set(id, (hits.get(id) ?? 0) + 1);
      else loaded.add(id);
      if (isTesting) allHits++;
      return false;
    }
    if (allHitsLeft-- <= 0) throw new Error('an endless loop');
    if (active !== id) return false;
    if (hitsLeft-- <= 0) throw new Error('an endless loop');
    return true;
  },
});

// That a random case fails is enough: the smallest one is not looked for.
fc.configureGlobal({ endOnFailure: true });

/**
 * Tries each test on every living mutant that it covers, in one process: the unchanged code first, then
 * each mutant as a « retry » of the test. A mutant is killed when the test fails with it and then passes
 * on the unchanged code; a test that does not is a failure, and is tried no further.
 */
export default class MutantRunner extends TestRunner {
  private waiting: number[] = [];
  private suspect: number | undefined;
  private isBroken = false;

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.type === 'test') test.retry = { count: MAX_TRIES, condition: () => !this.isBroken };
    this.isBroken = false;
    hits = new Map();
    allHits = 0;
    active = this.suspect = undefined;
  }

  override onBeforeTryTask(test: RunnerTask, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    // An assertion that the try before waits for in vain would be waited for again.
    if (test.type === 'test') test.promises = [];
    isTesting = options.retry === 0;
    begun = process.cpuUsage();
    allHitsLeft = allHits * HIT_FACTOR;
    hitsLeft = ((active === undefined ? 0 : hits.get(active)) ?? 0) * HIT_FACTOR;
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    isTesting = false;
    if (!test.result) return;
    const hasPassed = test.result.state !== 'fail';
    if (options.retry === 0) this.waiting = isLong() ? [] : living([...hits.keys()]);
    this.isBroken = active === undefined && !hasPassed;
    const isLast = !this.isBroken && !this.choose(hasPassed);
    // vitest tries again what failed with an error.
    test.result.state = isLast ? 'pass' : 'fail';
    if (!this.isBroken) test.result.errors = isLast ? [] : [{ message: 'the next mutant' }];
    test.result.attempts = [];
  }

  /** Takes in how a try has ended and chooses the next: a suspect's is on the unchanged code again. */
  private choose(hasPassed: boolean): boolean {
    if (active === undefined && this.suspect !== undefined) log([this.suspect], 'killed');
    this.suspect = hasPassed ? undefined : active;
    active = this.suspect === undefined ? this.waiting.shift() : undefined;
    return active !== undefined || this.suspect !== undefined;
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    log([...loaded], 'loaded');
  }
}

const isLong = (): boolean => process.cpuUsage(begun).user > MAX_WORK_US;

function log(ids: readonly number[], finding: Finding): void {
  appendFileSync(inject('mutantLog'), ids.map((id) => `${id} ${finding}\n`).join(''));
}

/** Of the mutants that a test covers those that no test has killed yet. */
function living(covered: readonly number[]): number[] {
  log(covered, 'covered');
  const lines = readFileSync(inject('mutantLog'), 'utf8').matchAll(/^(\d+) killed$/gm);
  const killed = new Set([...lines].map(([, id]) => Number(id)));
  return covered.filter((id) => !killed.has(id));
}
