import { idPair, type IdPair } from '../store/fusions.ts';
import type { Evidence } from './evidence.ts';
import { findAbbreviations, type NamedAuteur } from './initials.ts';
import type { Refus } from './refus.ts';
import { pairsOneLetterApart, pairsOneWordApart, type Difference } from './similar-noms.ts';

/** Two authors who may be one, and the reason as a sentence in French. */
interface Suggestion {
  readonly pair: IdPair;
  readonly raison: string;
}

/** From this many likely pairs on, or this many in all, the unlikely ones are left out. */
const LONG_LIST = { likely: 10, all: 20 } as const;

/**
 * The merges that only a person can decide, the surest first, then by ascending ids
 * (docs/rules.md § 15): initials that may stand for a full name, keys one letter apart, one word more.
 * Refused pairs are left out; a long list is cut to the pairs that nothing speaks against.
 */
export function suggestFusions(
  auteurs: readonly NamedAuteur[],
  refus: Refus,
  evidence: Pick<Evidence, 'confidence'>,
): Suggestion[] {
  const found = new Map<string, Suggestion & { readonly confidence: number }>();
  const add = (a: NamedAuteur, b: NamedAuteur, raison: string, atLeast = -1) => {
    const pair = idPair(a.id, b.id);
    const key = pair.join(' ');
    if (refus.has(a.id, b.id) || found.has(key)) return;
    found.set(key, { pair, raison, confidence: Math.max(evidence.confidence(a, b), atLeast) });
  };
  for (const { short, fuller } of findAbbreviations(auteurs)) {
    for (const long of fuller) add(short, long, initialsReason(short, long, fuller.length), 0);
  }
  for (const { auteurs: couple, difference } of pairsOneLetterApart(auteurs))
    add(...couple, REASONS[difference]);
  for (const { short, long, word } of pairsOneWordApart(auteurs))
    add(short, long, `Les mêmes mots, et un de plus : ${quote(word)}.`);
  const likely = [...found.values()].filter(({ confidence }) => confidence >= 0);
  const isLong = likely.length >= LONG_LIST.likely || found.size >= LONG_LIST.all;
  return (isLong ? likely : [...found.values()])
    .sort((x, y) => y.confidence - x.confidence || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1])
    .map(({ pair, raison }) => ({ pair, raison }));
}

const REASONS = {
  letter: 'Une seule lettre distingue les deux noms.',
  swap: 'Deux lettres voisines sont inversées.',
} as const satisfies Record<Difference, string>;

function initialsReason(short: NamedAuteur, long: NamedAuteur, count: number): string {
  const raison = `${quote(short.nom)} peut abréger ${quote(long.nom)}`;
  return count === 1 ? `${raison}.` : `${raison}, mais ${String(count)} noms conviennent.`;
}

const quote = (text: string) => `«\u00a0${text}\u00a0»`;
