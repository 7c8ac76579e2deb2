import { MAX_SUGGESTIONS, type FusionMotif } from '#shared/auteurs';
import { abbreviates, parseNom } from '#shared/nom-form';
import { normaliser, searchForm } from '#shared/text';
import { MAX_COMPARED, pairsOneLetterApart, type Difference } from './letter-apart.ts';
import {
  findAbbreviations,
  groupingKeyOf,
  idPair,
  signatureOf,
  type IdPair,
  type NamedAuteur,
  type Refus,
} from './merging.ts';

interface Suggestion {
  readonly pair: IdPair;
  readonly motif: FusionMotif;
}

/** If a list has this many likely pairs, or pairs in all, unlikely ones are left out. */
const LONG_LIST = { likely: 10, all: 20 } as const;

/** The likeliest suggestions, and of how many. */
interface Suggestions {
  readonly suggestions: readonly Suggestion[];
  readonly total: number;
}

/**
 * Yields the merges that only a person can decide, surest first, then by ids, at most `MAX_SUGGESTIONS`
 * (docs/rules.md § 15): possible initials, keys one letter apart, one word more. Refused pairs are left out; a long
 * list is cut to pairs without counter-evidence. Yields at pauses; memory grows with the authors, not with their
 * pairs.
 *
 * @param isShown whether an author has books: without any an author is not suggested
 */
export function* suggestFusions(
  auteurs: readonly NamedAuteur[],
  refus: Refus,
  evidence: Pick<Evidence, 'confidence'>,
  isShown: (id: number) => boolean = () => true,
): Generator<void, Suggestions> {
  const first: Candidate[] = [];
  let [likely, all] = [0, 0];
  const add = (a: NamedAuteur, b: NamedAuteur, motif: () => FusionMotif, atLeast = -1) => {
    if (refus.has(a.id, b.id) || !isShown(a.id) || !isShown(b.id)) return;
    const confidence = Math.max(evidence.confidence(a, b), atLeast);
    all++;
    if (confidence >= 0) likely++;
    keepFirst(first, { pair: idPair(a.id, b.id), motif, confidence });
  };
  const addAbbreviation = (short: NamedAuteur, fuller: readonly NamedAuteur[]) => {
    for (const long of fuller.slice(0, MAX_COMPARED))
      add(short, long, () => initials(short, long, fuller.length), 0);
  };
  for (const found of findAbbreviations(auteurs)) {
    if (found !== null) addAbbreviation(found.short, found.fuller);
    yield;
  }
  for (const near of pairsOneLetterApart(auteurs)) {
    if (near !== null && !areAbbreviation(...near.auteurs))
      add(...near.auteurs, () => ({ genre: GENRES[near.difference] }));
    yield;
  }
  for (const near of pairsOneWordApart(auteurs)) {
    if (near !== null && !areAbbreviation(near.short, near.long))
      add(near.short, near.long, () => ({ genre: 'mot', mot: near.word }));
    yield;
  }
  const isLong = likely >= LONG_LIST.likely || all >= LONG_LIST.all;
  return {
    suggestions: first
      .filter(({ confidence }) => !isLong || confidence >= 0)
      .map(({ pair, motif }) => ({ pair, motif: motif() })),
    total: isLong ? likely : all,
  };
}

interface Candidate {
  readonly pair: IdPair;
  readonly motif: () => FusionMotif;
  readonly confidence: number;
}

const bySurest = (x: Candidate, y: Candidate): number =>
  y.confidence - x.confidence || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1];

/** Inserts a pair into the likeliest ones if it belongs there. */
function keepFirst(first: Candidate[], each: Candidate): void {
  const last = first[MAX_SUGGESTIONS - 1];
  if (last !== undefined && bySurest(last, each) < 0) return;
  let [low, high] = [0, first.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = first[middle];
    if (other !== undefined && bySurest(other, each) < 0) low = middle + 1;
    else high = middle;
  }
  first.splice(low, 0, each);
  if (first.length > MAX_SUGGESTIONS) first.pop();
}

/** Pairs of initials are not suggested a second time for a letter or a word. */
function areAbbreviation(a: NamedAuteur, b: NamedAuteur): boolean {
  if (signatureOf(a) !== signatureOf(b)) return false;
  const [one, other] = [parseNom(a.nom), parseNom(b.nom)];
  return abbreviates(one, other) || abbreviates(other, one);
}

const GENRES = { letter: 'lettre', swap: 'inversion' } as const satisfies Record<
  Difference,
  string
>;

const initials = (short: NamedAuteur, long: NamedAuteur, noms: number): FusionMotif => ({
  genre: 'initiales',
  court: short.nom,
  long: long.nom,
  noms,
});

/** Pairs in which one name has an additional word: each word of a key is left out in turn. */
function* pairsOneWordApart(
  auteurs: readonly NamedAuteur[],
): Generator<{ short: NamedAuteur; long: NamedAuteur; word: string } | null> {
  const byKey = new Map<string, NamedAuteur>();
  for (const auteur of auteurs) {
    const key = groupingKeyOf(auteur);
    // A name of signs only has no word.
    if (normaliser(key) !== '') byKey.set(key, auteur);
    yield null;
  }
  for (const [key, long] of byKey) {
    yield null;
    const words = key.split(' ');
    for (const word of new Set(words)) {
      const short = byKey.get(words.toSpliced(words.indexOf(word), 1).join(' '));
      if (short !== undefined) yield { short, long, word };
    }
  }
}

/** The books of an author, as evidence. */
export interface AuteurCredits {
  readonly nombreLivres: number;
  /** The keys of their works. */
  readonly oeuvres: ReadonlySet<string>;
  /** The ids of everyone else named on the same books. */
  readonly others: ReadonlySet<string>;
}

/** Scores a pair of similar names: positive scores are probably one person. */
export class Evidence {
  readonly #read: (auteurId: number) => AuteurCredits;
  // Cached: most names resemble none, but some resemble several.
  readonly #credits = new Map<number, AuteurCredits>();
  readonly #names = new Map<number, Name>();

  constructor(read: (auteurId: number) => AuteurCredits) {
    this.#read = read;
  }

  creditsOf(id: number): AuteurCredits {
    const known = this.#credits.get(id);
    if (known !== undefined) return known;
    const credits = this.#read(id);
    this.#credits.set(id, credits);
    return credits;
  }

  /**
   * The evidence for and against a pair (docs/rules.md § 15). A common title or co-author decides. Otherwise authors
   * with several books each are two people, and so are names that usually differ: another generation, a short family
   * name, another given name.
   */
  confidence(a: NamedAuteur, b: NamedAuteur): number {
    const [mine, theirs] = [this.#nameOf(a), this.#nameOf(b)];
    const words = differingWords(mine.words, theirs.words);
    if (words.some((word) => GENERATIONS.test(word))) return -1;
    const [one, other] = [this.creditsOf(a.id), this.creditsOf(b.id)];
    const [x, y] = [one.nombreLivres, other.nombreLivres];
    const lesserKnown = x === y ? null : x < y ? mine : theirs;
    const counts = { fewer: Math.min(x, y), more: Math.max(x, y), lesserKnown };
    const isOnce = counts.fewer <= 1 ? 1 : 0;
    const shared = commonCredits(one, other);
    if (shared > 0) return 4 + shared + isOnce;
    const difference = nameDifference(mine, theirs, words, counts);
    if (difference < 0) return -1;
    if (counts.fewer > 1) return difference >= INITIAL ? 0 : -1;
    return difference + isOnce;
  }

  #nameOf({ id, nom }: NamedAuteur): Name {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = { nom, words: wordsOf(nom) };
    this.#names.set(id, name);
    return name;
  }
}

interface Name {
  readonly nom: string;
  readonly words: readonly string[];
}

/** 4 for a title under both names, 1 for a co-author of both. */
function commonCredits(a: AuteurCredits, b: AuteurCredits): number {
  if (haveCommon(a.oeuvres, b.oeuvres)) return 4;
  return haveCommon(a.others, b.others) ? 1 : 0;
}

function haveCommon<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  if (a.size > b.size) return haveCommon(b, a);
  for (const each of a) if (b.has(each)) return true;
  return false;
}

const GENERATIONS = /^(?:fils|pere|jr|junior|sr|senior|ii|iii|iv)$/;

/** An initial in one name only: the likeliest difference between one person's names. */
const INITIAL = 2;

interface Counts {
  readonly fewer: number;
  readonly more: number;
  /** The name with fewer books; `null` where both have as many. */
  readonly lesserKnown: Name | null;
}

function nameDifference(a: Name, b: Name, words: readonly string[], counts: Counts): number {
  if (words.length === 0) return INITIAL;
  const [first = '', second] = words;
  if (second === undefined) return wordDifference(a, b, first, counts);
  return letterDifference(first, second, isGivenName(a, first) || isGivenName(b, second), counts);
}

/** The words that only one of the names has, the first name's first. */
function differingWords(mine: readonly string[], theirs: readonly string[]): string[] {
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

/** Particles between given and family name that may be left out. */
const PARTICLE = /^(?:de|d|du|des|la|le|l|van|von|der|den|y|e|da|do|dos|di)$/;

/** One name has an additional word: an initial, a particle, a middle name or another family name. */
function wordDifference(a: Name, b: Name, word: string, counts: Counts): number {
  const [long, short] = a.words.length > b.words.length ? [a, b] : [b, a];
  if (PARTICLE.test(word) || long.words.length === short.words.length) return INITIAL;
  if (word.length === 1) return initialDifference(long, short, counts);
  const position = long.words.indexOf(word);
  const isFamilyNameAlone = short.words.length === 1 && position === 0;
  if (isFamilyNameAlone) return counts.fewer <= 1 && counts.more >= 3 ? 0 : -1;
  return position > 0 && position < long.words.length - 1 ? 0 : -1;
}

/**
 * An initial in one name only. An author with a common given name and a better known person's family name adds an
 * initial to be distinguished; a catalogue leaves out the initial of the better known one.
 */
function initialDifference(long: Name, short: Name, { lesserKnown }: Counts): number {
  const { words } = short;
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

const isGivenName = ({ nom, words }: Name, word: string): boolean =>
  nom.includes(',') ? wordsOf(nom.split(',')[1] ?? '').includes(word) : words[0] === word;

/** Given names one letter apart from another one: of two languages or two sexes. */
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
