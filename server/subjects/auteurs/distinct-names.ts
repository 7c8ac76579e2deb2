import { abbreviates, hasInitial, parseNom, type NomForm } from '#shared/nom-form';
import { cleRegroupement } from '#shared/text';
import { fullNom, type AuteurRecord, type FusionResult } from './merging.ts';

// An index for writes that add many names of one signature. Indexed names need no merge among
// themselves; the index finds the candidates for a further name.

/** Signatures of at least so many names get an index. */
export const MANY_NAMES = 8;

/** A name of `n` words has 2ⁿ⁻¹ abbreviations; longer names are compared with all of their signature. */
const MAX_WORDS = 6;

interface Form {
  readonly id: number;
  readonly key: string;
  readonly nom: NomForm;
}

type Lookup = Map<string, Set<Form>>;

/** Names of one signature that the rules do not merge with each other. */
export class DistinctNames {
  readonly #byId = new Map<number, Form>();
  /** Full forms, by each initials form that may abbreviate them. */
  readonly #fitting: Lookup = new Map();
  /** Initials forms, by their words. */
  readonly #shorts: Lookup = new Map();
  #isWhole = true;

  constructor(auteurs: Iterable<AuteurRecord>) {
    for (const auteur of auteurs) this.put(auteur);
  }

  put(auteur: AuteurRecord): void {
    this.remove(auteur.id);
    const form = formOf(auteur);
    this.#byId.set(auteur.id, form);
    if (!isIndexable(form.nom)) this.#isWhole = false;
    if (!this.#isWhole) return;
    for (const words of abbreviationsOf(form.nom)) addTo(this.#fitting, words, form);
    if (hasInitial(form.nom)) addTo(this.#shorts, wordsOf(form.nom), form);
  }

  remove(id: number): void {
    const form = this.#byId.get(id);
    if (form === undefined) return;
    this.#byId.delete(id);
    for (const words of abbreviationsOf(form.nom)) this.#fitting.get(words)?.delete(form);
    this.#shorts.get(wordsOf(form.nom))?.delete(form);
  }

  /** Whether the rules treat this spelling of a name exactly as the spelling that is here. */
  isSame(auteur: AuteurRecord): boolean {
    const known = this.#byId.get(auteur.id);
    return known !== undefined && areSame(known, formOf(auteur));
  }

  /**
   * The ids that merges may reach from a further name and from the names of its key; `null` if it has to be compared with
   * all. An initials form that fits two full forms of different keys is never merged, so it reaches nothing.
   */
  reachedFrom(auteur: AuteurRecord, sameKey: readonly number[]): ReadonlySet<number> | null {
    const form = formOf(auteur);
    if (!this.#isWhole || !isIndexable(form.nom)) return null;
    const reached = new Map<number, Form>();
    const queue = [form];
    const reach = (other: Form) => {
      if (reached.has(other.id)) return;
      reached.set(other.id, other);
      queue.push(other);
    };
    for (const id of sameKey) {
      const other = this.#byId.get(id);
      if (other === undefined) return null;
      reach(other);
    }
    for (const one of queue) {
      for (const words of abbreviationsOf(one.nom))
        for (const short of this.#shorts.get(words) ?? [])
          if (abbreviates(short.nom, one.nom) && this.#fuller(short) !== null) reach(short);
      for (const long of this.#fuller(one) ?? []) reach(long);
    }
    return new Set(reached.keys());
  }

  /** The forms that an initials form abbreviates; `null` if two of them are full forms of different keys. */
  #fuller(short: Form): Form[] | null {
    if (!hasInitial(short.nom)) return [];
    const fuller: Form[] = [];
    let fullKey: string | null = null;
    for (const long of this.#fitting.get(wordsOf(short.nom)) ?? []) {
      if (!abbreviates(short.nom, long.nom)) continue;
      fuller.push(long);
      if (hasInitial(long.nom)) continue;
      if (fullKey !== null && fullKey !== long.key) return null;
      fullKey = long.key;
    }
    return fuller;
  }

  /**
   * Whether the rules merge nothing beyond the found names: each full form is unchanged and keeps the same names
   * apart.
   */
  isAll({ successors, kept }: FusionResult, auteur: AuteurRecord): boolean {
    return kept.every((each) => {
      const end = formOf(each);
      const ids = [each.id, ...[...successors].flatMap(([id, to]) => (to === each.id ? [id] : []))];
      const before = ids.flatMap((id) => this.#byId.get(id) ?? []);
      return (
        [...before, formOf(auteur)].some((form) => areSame(form, end)) &&
        before.every((form) => hasInitial(form.nom) || areSame(form, end))
      );
    });
  }
}

const formOf = (auteur: AuteurRecord): Form => {
  const nom = fullNom(auteur);
  return { id: auteur.id, key: cleRegroupement(nom), nom: parseNom(nom) };
};

const wordsOf = ({ words }: NomForm): string => words.map(({ text }) => text).join(' ');

/** Whether the index can hold a name: not one of many words, nor « Œ. », an initial of two letters. */
export const isIndexable = ({ words }: NomForm): boolean =>
  words.length <= MAX_WORDS &&
  words.every(({ text, isInitial }) => !isInitial || text.length === 1);

/** The forms of a name in which at least one word except the last is cut to its first letter. */
function abbreviationsOf({ words }: NomForm): string[] {
  if (words.length > MAX_WORDS) return [];
  let ways: { readonly words: string; readonly isCut: boolean }[] = [{ words: '', isCut: false }];
  for (const [index, { text }] of words.entries()) {
    const letter = text.charAt(0);
    const isLast = index === words.length - 1;
    ways = ways.flatMap((way) => {
      const before = index === 0 ? '' : `${way.words} `;
      const whole = { words: before + text, isCut: way.isCut };
      return isLast || letter === text ? [whole] : [whole, { words: before + letter, isCut: true }];
    });
  }
  return ways.flatMap((way) => (way.isCut ? [way.words] : []));
}

function areSame(one: Form, other: Form): boolean {
  const [a, b] = [one.nom, other.nom];
  return (
    one.key === other.key &&
    a.familyLength === b.familyLength &&
    a.words.length === b.words.length &&
    a.words.every(
      ({ text, isInitial }, index) =>
        text === b.words[index]?.text && isInitial === b.words[index].isInitial,
    )
  );
}

function addTo(lookup: Lookup, words: string, form: Form): void {
  const forms = lookup.get(words);
  if (forms === undefined) lookup.set(words, new Set([form]));
  else forms.add(form);
}
