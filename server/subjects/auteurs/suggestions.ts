import { MAX_SUGGESTIONS } from '#shared/auteurs';
import { cleRegroupement, nfc, normaliser, searchForm } from '#shared/text';
import { findAbbreviations, idPair, type IdPair, type NamedAuteur, type Refus } from './merging.ts';

interface Suggestion {
  readonly pair: IdPair;
  readonly raison: string;
}

/** From so many likely pairs on, or so many in all, the unlikely ones are left out. */
const LONG_LIST = { likely: 10, all: 20 } as const;

/** The likeliest suggestions, and of how many. */
interface Suggestions {
  readonly suggestions: readonly Suggestion[];
  readonly total: number;
}

/**
 * The merges that only a person can decide, surest first, then by ids, at most `MAX_SUGGESTIONS` (docs/rules.md § 15):
 * initials that may stand for a full name, keys one letter apart, one word more. Refused pairs are left out; a long list
 * is cut to those that nothing speaks against. Yields wherever it may pause.
 *
 * @param isShown whether an author has books: who has none is suggested to nobody
 */
export function* suggestFusions(
  auteurs: readonly NamedAuteur[],
  refus: Refus,
  evidence: Pick<Evidence, 'confidence'>,
  isShown: (id: number) => boolean = () => true,
): Generator<void, Suggestions> {
  const found = new Map<string, Candidate>();
  const add = (a: NamedAuteur, b: NamedAuteur, raison: string, atLeast = -1) => {
    const pair = idPair(a.id, b.id);
    const key = pair.join(' ');
    if (refus.has(a.id, b.id) || found.has(key) || !isShown(a.id) || !isShown(b.id)) return;
    found.set(key, { pair, raison, confidence: Math.max(evidence.confidence(a, b), atLeast) });
  };
  for (const { short, fuller } of findAbbreviations(auteurs)) {
    for (const long of fuller.slice(0, MAX_COMPARED))
      add(short, long, initialsReason(short, long, fuller.length), 0);
    yield;
  }
  for (const near of pairsOneLetterApart(auteurs)) {
    if (near !== null) add(...near.auteurs, REASONS[near.difference]);
    yield;
  }
  for (const near of pairsOneWordApart(auteurs)) {
    if (near !== null)
      add(near.short, near.long, `Les mêmes mots, et un de plus : ${quote(near.word)}.`);
    yield;
  }
  let likely = 0;
  for (const { confidence } of found.values()) if (confidence >= 0) likely += 1;
  const isLong = likely >= LONG_LIST.likely || found.size >= LONG_LIST.all;
  const first: Candidate[] = [];
  for (const each of found.values()) {
    if (!isLong || each.confidence >= 0) keepFirst(first, each);
    yield;
  }
  return {
    suggestions: first.map(({ pair, raison }) => ({ pair, raison })),
    total: isLong ? likely : found.size,
  };
}

interface Candidate extends Suggestion {
  readonly confidence: number;
}

const bySurest = (x: Candidate, y: Candidate): number =>
  y.confidence - x.confidence || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1];

/** Puts a pair into its place among the first ones, as far as it is one of them. */
function keepFirst(first: Candidate[], each: Candidate): void {
  let [low, high] = [0, first.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = first[middle];
    if (other !== undefined && bySurest(other, each) < 0) low = middle + 1;
    else high = middle;
  }
  if (low >= MAX_SUGGESTIONS) return;
  first.splice(low, 0, each);
  if (first.length > MAX_SUGGESTIONS) first.pop();
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

/** A name is compared with so many: more that differ in the same place are numbered rather than misspelt. */
const MAX_COMPARED = 20;

/** The fewest letters of a key in which a different letter may be a slip. */
const MIN_LETTERS = 8;

const LETTER = /\p{L}/u;
const OTHER_SIGNS = /\P{L}+/gu;

/** One letter, or two neighbours swapped. */
type Difference = 'letter' | 'swap';

const groupingKeyOf = ({ nom, cle }: NamedAuteur): string => cle ?? cleRegroupement(nom);

/**
 * The pairs of keys of at least eight letters that differ by one letter: added, left out, changed, or two neighbours
 * swapped (docs/rules.md § 15). Two such keys have a text in common once one letter is left out of each, so only keys
 * that share one are compared. A pair may come several times, `null` where nothing is found yet.
 */
function* pairsOneLetterApart(auteurs: readonly NamedAuteur[]): Generator<{
  auteurs: readonly [NamedAuteur, NamedAuteur];
  difference: Difference;
} | null> {
  const neighbours = new Map<string, { auteur: NamedAuteur; key: string }[]>();
  for (const auteur of auteurs) {
    // In NFC, so that a Korean syllable is one letter.
    const key = nfc(groupingKeyOf(auteur));
    const texts = new Set([key]);
    if (key.replace(OTHER_SIGNS, '').length < MIN_LETTERS) continue;
    let at = 0;
    for (const sign of key) {
      if (LETTER.test(sign)) texts.add(key.slice(0, at) + key.slice(at + sign.length));
      at += sign.length;
    }
    for (const text of texts) {
      const group = neighbours.get(text);
      if (group) group.push({ auteur, key });
      else neighbours.set(text, [{ auteur, key }]);
    }
    yield null;
  }
  for (const group of neighbours.values()) {
    for (const [index, one] of group.entries()) {
      yield null;
      for (const other of group.slice(index + 1, index + 1 + MAX_COMPARED)) {
        const difference = differenceOf(Array.from(one.key), Array.from(other.key));
        if (difference !== null) yield { auteurs: [one.auteur, other.auteur], difference };
      }
    }
  }
}

/** Blanks and digits are no letters: « Jean 22 » and « Jean 23 » are two people. */
function differenceOf(a: readonly string[], b: readonly string[]): Difference | null {
  if (a.length > b.length) return differenceOf(b, a);
  const start = b.findIndex((sign, index) => sign !== a[index]);
  const [x = '', nextX] = a.slice(start);
  const [y = '', nextY] = b.slice(start);
  const areTailsEqual = (fromA: number, fromB: number) =>
    a.slice(start + fromA).join('') === b.slice(start + fromB).join('');
  if (start < 0 || !LETTER.test(y)) return null;
  if (a.length < b.length) return areTailsEqual(0, 1) ? 'letter' : null;
  if (!LETTER.test(x)) return null;
  if (areTailsEqual(1, 1)) return 'letter';
  return x === nextY && y === nextX && areTailsEqual(2, 2) ? 'swap' : null;
}

/** Where one name has all words of the other and one more: each word of a key is left out in turn. */
function* pairsOneWordApart(
  auteurs: readonly NamedAuteur[],
): Generator<{ short: NamedAuteur; long: NamedAuteur; word: string } | null> {
  const keyed = auteurs
    .map((auteur) => ({ auteur, key: groupingKeyOf(auteur) }))
    .filter(({ key }) => normaliser(key) !== '');
  const byKey = new Map(keyed.map(({ auteur, key }) => [key, auteur]));
  for (const { auteur: long, key } of keyed) {
    yield null;
    const words = key.split(' ');
    for (const word of new Set(words)) {
      const short = byKey.get(words.toSpliced(words.indexOf(word), 1).join(' '));
      if (short !== undefined) yield { short, long, word };
    }
  }
}

export interface AuteurOeuvre {
  readonly auteurId: number;
  readonly livreId: number;
  readonly cleOeuvre: string;
}

interface AuteurCredits {
  readonly livres: ReadonlySet<number>;
  readonly oeuvres: ReadonlySet<string>;
  /** Everyone named on the same books. */
  readonly others: ReadonlySet<number>;
}

/** Scores a pair of similar names: above zero they are probably one person. */
export class Evidence {
  readonly #byAuteur: ReadonlyMap<number, readonly AuteurOeuvre[]>;
  readonly #byLivre: ReadonlyMap<number, readonly AuteurOeuvre[]>;

  constructor(oeuvres: readonly AuteurOeuvre[]) {
    this.#byAuteur = Map.groupBy(oeuvres, ({ auteurId }) => auteurId);
    this.#byLivre = Map.groupBy(oeuvres, ({ livreId }) => livreId);
  }

  /**
   * What speaks for and against a pair (docs/rules.md § 15). A title or another author in common settles it. Otherwise
   * two people who each have several books are two, and so are names that differ as names do: another generation, a
   * short family name, another given name.
   */
  confidence(a: NamedAuteur, b: NamedAuteur): number {
    if (differInGeneration(a.nom, b.nom)) return -1;
    const [one, other] = [this.#creditsOf(a), this.#creditsOf(b)];
    const [x, y] = [one.livres.size, other.livres.size];
    const lesserKnown = x === y ? null : x < y ? a.nom : b.nom;
    const counts = { fewer: Math.min(x, y), more: Math.max(x, y), lesserKnown };
    const isOnce = counts.fewer <= 1 ? 1 : 0;
    const shared = commonCredits(one, other);
    if (shared > 0) return 4 + shared + isOnce;
    const difference = nameDifference(a.nom, b.nom, counts);
    if (difference < 0) return -1;
    if (counts.fewer > 1) return difference >= INITIAL ? 0 : -1;
    return difference + isOnce;
  }

  #creditsOf({ id }: NamedAuteur): AuteurCredits {
    const own = this.#byAuteur.get(id) ?? [];
    const named = own.flatMap(({ livreId }) => this.#byLivre.get(livreId) ?? []);
    return {
      livres: new Set(own.map(({ livreId }) => livreId)),
      oeuvres: new Set(own.map(({ cleOeuvre }) => cleOeuvre).filter((cle) => cle !== '')),
      others: new Set(named.map(({ auteurId }) => auteurId).filter((other) => other !== id)),
    };
  }
}

/** 4 for a title under both names, 1 for another author with whom both have worked. */
function commonCredits(a: AuteurCredits, b: AuteurCredits): number {
  if (haveCommon(a.oeuvres, b.oeuvres)) return 4;
  return haveCommon(a.others, b.others) ? 1 : 0;
}

const haveCommon = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  [...a].some((item) => b.has(item));

const GENERATIONS = /^(?:fils|pere|jr|junior|sr|senior|ii|iii|iv)$/;

const differInGeneration = (a: string, b: string): boolean =>
  differingWords(a, b).some((word) => GENERATIONS.test(word));

/** An initial in one name only: the likeliest difference between one person's names. */
const INITIAL = 2;

interface Counts {
  readonly fewer: number;
  readonly more: number;
  /** The name with fewer books; `null` where both have as many. */
  readonly lesserKnown: string | null;
}

function nameDifference(a: string, b: string, counts: Counts): number {
  const words = differingWords(a, b);
  if (words.length === 0) return INITIAL;
  const [first = '', second] = words;
  if (second === undefined) return wordDifference(a, b, first, counts);
  return letterDifference(first, second, isGivenName(a, first) || isGivenName(b, second), counts);
}

function differingWords(a: string, b: string): string[] {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  const without = (words: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return words.filter((word) => {
      const index = left.indexOf(word);
      if (index !== -1) left.splice(index, 1);
      return index === -1;
    });
  };
  return [...without(mine, theirs), ...without(theirs, mine)];
}

const wordsOf = (nom: string): string[] => searchForm(nom).split(' ');

/** Words between given and family name that may be left out. */
const PARTICLE = /^(?:de|d|du|des|la|le|l|van|von|der|den|y|e|da|do|dos|di)$/;

/** One name has a word more: an initial, a particle, a middle name, or another family name. */
function wordDifference(a: string, b: string, word: string, counts: Counts): number {
  const [long, short] = wordsOf(a).length > wordsOf(b).length ? [a, b] : [b, a];
  if (PARTICLE.test(word) || wordsOf(long).length === wordsOf(short).length) return INITIAL;
  if (word.length === 1) return initialDifference(long, short, counts);
  const position = wordsOf(long).indexOf(word);
  const isFamilyNameAlone = wordsOf(short).length === 1 && position === 0;
  if (isFamilyNameAlone) return counts.fewer <= 1 && counts.more >= 3 ? 0 : -1;
  return position > 0 && position < wordsOf(long).length - 1 ? 0 : -1;
}

/**
 * An initial in one name only. Whoever shares a common given name and the family name of someone better known adds an
 * initial to be told apart, whereas a catalogue leaves out the initial of the better known one.
 */
function initialDifference(long: string, short: string, { lesserKnown }: Counts): number {
  const words = wordsOf(short);
  if (words.some((word) => word.length === 1)) return -1;
  const isCommon = words.some((word) => isGivenName(short, word) && GIVEN_NAMES.has(word));
  return isCommon && lesserKnown === long ? -1 : INITIAL;
}

/** Letters that sound or look alike. */
const KIN = ['yij', 'fvw', 'szc', 'ckq', 'td', 'bp', 'mn', 'ou'];

function letterDifference(a: string, b: string, isGiven: boolean, { fewer, more }: Counts): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (isGiven && areBothGivenNames(a, b)) return -1;
  if (short.length < long.length) {
    // « Martin » and « Martini », « Robert » and « Roberts »: another family name.
    if (!isGiven && long.startsWith(short) && GIVEN_NAMES.has(short)) return -1;
    if (short.length >= 5) return long.startsWith(short) ? 0 : 1;
    return fewer <= 1 && more >= 3 ? 0 : -1;
  }
  const i = Array.from(a).findIndex((letter, index) => letter !== b[index]);
  const isSwap = a[i] === b[i + 1] && a[i + 1] === b[i];
  const areKin = KIN.some((kin) => kin.includes(a[i] ?? '') && kin.includes(b[i] ?? ''));
  if (isSwap || (areKin && a.length >= 6)) return 1;
  return a.length >= 7 ? 0 : -1;
}

const isGivenName = (nom: string, word: string): boolean =>
  nom.includes(',') ? wordsOf(nom.split(',')[1] ?? '').includes(word) : wordsOf(nom)[0] === word;

/** Given names that differ from another one by one letter: of two languages, or of the two sexes. */
const GIVEN_NAMES = new Set(
  `adrien adrian alain alan albert alberto alexandre alexander alexandra alexis alexia amelie amelia
  andre andrea andres andrew ann anna anne annie anton antonio antoine bernard bernardo carl carla
  carlo carlos carole caroline carolina catherine katherine charlie charles chris christian
  christiane christine christina claude claudia claudio clara claire daniel daniela daniele danielle
  david davide denis denise diana diane dominique dominic dan don elena helena helene eric erica erik
  emil emile emilie emily emma ernest ernesto etienne eva eve fabien fabienne felix felicia francis
  francois francoise franck frank franz frederic frederick frederique gabriel gabriela gabriele
  gabrielle georg george georges georgia gerard gerald gilbert giovanni gregoire gregory guillaume
  gustav gustave hans hanna hannah harriet harry helen henri henry hugo hugh ian ion irene irena isabel
  isabelle ivan jack jacques jakob jacob james jan jane janet janette jean jeanne jennifer jens jim
  joan joanna joanne john jon jonas jose josef joseph josephe juan juana jules julia julian juliana
  julie julien julienne karen karin karl kate kathy kim klaus laura laure laurence laurent laurie leo
  leon leonie lea leah liam lina linda lisa lise louis louise luc luca lucas lucia lucie lucien
  lucienne luis luisa lukas marc marcel marcelle marcello marco marcus margaret margarita marguerite
  maria marian mariana marianne marie marina marine mario marion mark markus marta martha marthe martin
  martina martine mary mathieu mathilde matilda matthew max maxime michael michal michel michele
  michelle miguel mike mikael nadia nadine natalia natalie nathalie nathan nicola nicolas nicole nina
  noel noelle nora norman olivia olivier oscar oskar paolo pascal pascale patrice patricia patrick paul
  paula paule pauline paulo pedro peter petra phil philip philippe pierre rachel rachael raul raoul ray
  remi remy rene renee richard rob robert roberta roberto robin roger ron rosa rose roy ruth sam samuel
  sandra sara sarah sean sebastian sebastien serge sergio simon simona simone sofia sonia sophia sophie
  stefan stefano stephan stephane stephanie stephen steve steven susan susana susanna suzanne sylvia
  sylvie teresa theo theresa therese thomas tim tom tony valeria valerie vera veronica veronique victor
  victoria vincent virginia virginie walter wendy william yann yves yvan yvon yvonne zoe`.split(
    /\s+/,
  ),
);

const areBothGivenNames = (a: string, b: string): boolean =>
  GIVEN_NAMES.has(a) && GIVEN_NAMES.has(b);
