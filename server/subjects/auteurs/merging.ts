import { abbreviates, hasInitial, parseNom, type NomForm } from '#shared/nom-form';
import { mostPresentableNom } from '#shared/presentable-nom';
import { cleRegroupement } from '#shared/text';

// The rules that merge names of one person, without a database (docs/rules.md § 14, 15).

/** Two authors by their ids, the lower one first. */
export type IdPair = readonly [number, number];

export const idPair = (a: number, b: number): IdPair => (a < b ? [a, b] : [b, a]);

export interface AuteurRecord {
  readonly id: number;
  readonly nom: string;
  /**
   * The full form, if a more presentable shown name abbreviates it: « JEAN MARTIN » behind « J. Martin ». Without it
   * the next « Jacques Martin » would be taken for the same person.
   */
  readonly formePleine: string | null;
  /** Whether a person chose the shown name. */
  readonly nomChoisi?: boolean;
  /** Names of authors that a person merged into this one. */
  readonly formesReunies?: readonly string[];
}

/** Pairs that somebody declared to be two people (docs/rules.md § 15). A merge passes the refusals on. */
export class Refus {
  readonly #others = new Map<number, Set<number>>();

  constructor(pairs: Iterable<IdPair> = []) {
    for (const [a, b] of pairs) this.#add(a, b);
  }

  has(a: number, b: number): boolean {
    return this.of(a).has(b);
  }

  /** The authors that this one must not be merged with. */
  of(id: number): ReadonlySet<number> {
    return this.#others.get(id) ?? NOBODY;
  }

  transfer(absorbed: number, kept: number): void {
    for (const other of this.of(absorbed)) {
      this.#others.get(other)?.delete(absorbed);
      if (other !== kept) this.#add(other, kept);
    }
    this.#others.delete(absorbed);
  }

  #add(a: number, b: number): void {
    this.#others.set(a, (this.#others.get(a) ?? new Set()).add(b));
    this.#others.set(b, (this.#others.get(b) ?? new Set()).add(a));
  }
}

const NOBODY: ReadonlySet<number> = new Set();

interface Fusion {
  readonly kept: AuteurRecord;
  readonly absorbedId: number;
}

/**
 * Merges two authors. The remaining one has the chosen name, else the more presentable name, else the lower id. The
 * order of several merges does not change the result (docs/rules.md § 15).
 */
export function fusionner(a: AuteurRecord, b: AuteurRecord): Fusion {
  const [first, second] = a.id < b.id ? [a, b] : [b, a];
  const firstStays =
    hasGivenNom(first) === hasGivenNom(second)
      ? mostPresentableNom([first.nom, second.nom]) === first.nom
      : hasGivenNom(first);
  const [kept, absorbed] = firstStays ? [first, second] : [second, first];
  const formes = [...(kept.formesReunies ?? []), ...(absorbed.formesReunies ?? [])];
  return {
    kept: {
      ...kept,
      ...chooseNoms(kept, nomsOf(absorbed)),
      ...(formes.length > 0 && { formesReunies: formes }),
    },
    absorbedId: absorbed.id,
  };
}

const hasGivenNom = ({ nomChoisi }: AuteurRecord): boolean => nomChoisi === true;

/** The remaining author of a manual merge: further books with a name of the other one get this author. */
export function withFormesOf(kept: AuteurRecord, absorbed: AuteurRecord): AuteurRecord {
  const byKey = new Map<string, string>();
  for (const nom of [...(kept.formesReunies ?? []), ...nomsOf(absorbed)])
    byKey.set(cleRegroupement(nom), nom);
  for (const nom of nomsOf(kept)) byKey.delete(cleRegroupement(nom));
  return { ...kept, formesReunies: [...byKey.values()] };
}

export const withSpelling = (auteur: AuteurRecord, nom: string): AuteurRecord => ({
  ...auteur,
  ...chooseNoms(auteur, [nom]),
});

/** The author under a chosen name; an abbreviation keeps the full form behind it. */
export const withNom = (auteur: AuteurRecord, nom: string): AuteurRecord => ({
  id: auteur.id,
  nom,
  formePleine: abbreviates(parseNom(nom), parseNom(fullNom(auteur))) ? fullNom(auteur) : null,
  nomChoisi: true,
});

export const fullNom = ({ nom, formePleine }: AuteurRecord): string => formePleine ?? nom;

const nomsOf = (auteur: AuteurRecord): string[] =>
  auteur.formePleine === null ? [auteur.nom] : [auteur.nom, auteur.formePleine];

function chooseNoms(
  auteur: AuteurRecord,
  others: readonly string[],
): Pick<AuteurRecord, 'nom' | 'formePleine'> {
  const candidates = [...nomsOf(auteur), ...others];
  const nom = hasGivenNom(auteur) ? auteur.nom : (mostPresentableNom(candidates) ?? '');
  const form = parseNom(nom);
  const longer = candidates.filter((candidate) => abbreviates(form, parseNom(candidate)));
  const full = longer.filter((candidate) => !hasInitial(parseNom(candidate)));
  return { nom, formePleine: mostPresentableNom(full.length > 0 ? full : longer) };
}

export interface NamedAuteur {
  readonly id: number;
  readonly nom: string;
  readonly cle?: string | null;
  readonly signature?: string | null;
}

export const groupingKeyOf = ({ nom, cle }: NamedAuteur): string => cle ?? cleRegroupement(nom);

/** A form with initials and the fuller forms that it may abbreviate, refused ones included. */
interface Abbreviation<A extends NamedAuteur> {
  readonly short: A;
  readonly fuller: readonly A[];
}

/**
 * Yields `null` wherever it may pause.
 *
 * @param most of the fuller forms of each so many are looked for
 */
export function* findAbbreviations<A extends NamedAuteur>(
  auteurs: Iterable<A>,
  most = Infinity,
): Generator<Abbreviation<A> | null> {
  const bySignature = new Map<string, A[]>();
  for (const auteur of auteurs) {
    const signature = signatureOf(auteur);
    const group = bySignature.get(signature);
    if (group === undefined) bySignature.set(signature, [auteur]);
    else group.push(auteur);
    yield null;
  }
  for (const sameSignature of bySignature.values()) {
    if (sameSignature.length < 2) continue;
    const forms: Form<A>[] = [];
    for (const auteur of sameSignature) {
      forms.push({ auteur, ...parseNom(auteur.nom) });
      yield null;
    }
    if (forms.some(hasInitial)) yield* abbreviationsOf(forms, most);
  }
}

export const signatureOf = ({ nom, signature }: NamedAuteur): string =>
  signature ?? parseNom(nom).signature;

type Form<A extends NamedAuteur> = NomForm & { readonly auteur: A };

/** The positions and texts of the words that are no initial of a given name. */
const fullWordsOf = ({ words, familyLength }: NomForm): (readonly [number, string])[] =>
  words.flatMap(({ text, isInitial }, index) =>
    isInitial && index < words.length - familyLength ? [] : [[index, text] as const],
  );

/**
 * Compares names within one signature. Each form is compared only with those that share its rarest full word at the
 * same position.
 */
function* abbreviationsOf<A extends NamedAuteur>(
  forms: readonly Form<A>[],
  most: number,
): Generator<Abbreviation<A> | null> {
  const shorts = forms.filter(hasInitial);
  // Only the words that are looked up: a name of a hundred initials has two.
  const byWord = new Map<number, Map<string, Form<A>[]>>();
  for (const short of shorts)
    for (const [index, text] of fullWordsOf(short))
      byWord.set(index, (byWord.get(index) ?? new Map<string, Form<A>[]>()).set(text, []));
  for (const form of forms) {
    for (const [index, ofWord] of byWord) ofWord.get(form.words[index]?.text ?? '')?.push(form);
    yield null;
  }
  for (const short of shorts) {
    let rarest = forms;
    for (const [index, text] of fullWordsOf(short)) {
      const group = byWord.get(index)?.get(text) ?? [];
      if (group.length < rarest.length) rarest = group;
    }
    const fuller: A[] = [];
    for (const [index, other] of rarest.entries()) {
      if (abbreviates(short, other)) fuller.push(other.auteur);
      if (fuller.length === most) break;
      if (index % 100 === 0) yield null;
    }
    if (fuller.length > 0) yield { short: short.auteur, fuller };
  }
}

/**
 * The forms with initials that abbreviate exactly one fuller form, refused ones counting (docs/rules.md § 14). A
 * merge may leave another form with one candidate: call again after it. The final result does not depend on the
 * order.
 */
function findAbsorptions<A extends NamedAuteur>(
  auteurs: Iterable<A>,
  refus: Refus,
): { short: A; long: A }[] {
  const single = [...findAbbreviations(auteurs, 2)].flatMap((found) => {
    if (found === null) return [];
    const { short } = found;
    const [long, ...others] = found.fuller;
    const isSingle = long !== undefined && others.length === 0;
    return isSingle && !refus.has(short.id, long.id) ? [{ short, long }] : [];
  });
  // If two short forms with a refused merge abbreviate one full form, merging both into it would
  // merge them.
  const shorts = new Map(
    [...Map.groupBy(single, ({ long }) => long)].map(([long, all]) => [
      long,
      new Set(all.map(({ short }) => short.id)),
    ]),
  );
  return single.filter(({ short, long }) =>
    [...refus.of(short.id)].every((other) => shorts.get(long)?.has(other) !== true),
  );
}

export interface FusionResult {
  /** The id of each absorbed author → the id of its final replacement. */
  readonly successors: ReadonlyMap<number, number>;
  /** The remaining authors, with their names after the merges. */
  readonly kept: readonly AuteurRecord[];
}

/**
 * Applies the merges without confirmation until nothing changes: spellings of one grouping key, then forms with
 * initials (docs/rules.md § 15). Refusals are never overridden; each merge updates `refus`.
 */
export function applyFusionRules(auteurs: Iterable<AuteurRecord>, refus: Refus): FusionResult {
  const left = new Map(Array.from(auteurs, (auteur) => [auteur.id, auteur]));
  const successors = new Map<number, number>();
  const byId = () => [...left.values()].sort((a, b) => a.id - b.id);
  const finalId = (id: number): number => {
    const next = successors.get(id);
    return next === undefined ? id : finalId(next);
  };
  const merge = (a: number, b: number): number => {
    const [one, other] = [left.get(finalId(a)), left.get(finalId(b))];
    if (one === undefined || other === undefined) throw new Error(`No authors ${a}, ${b} to merge`);
    const { kept, absorbedId } = fusionner(one, other);
    left.delete(absorbedId);
    left.set(kept.id, kept);
    successors.set(absorbedId, kept.id);
    refus.transfer(absorbedId, kept.id);
    return kept.id;
  };
  let before: number;
  do {
    before = left.size;
    const byKey = Map.groupBy(byId(), (auteur) => cleRegroupement(fullNom(auteur)));
    for (const spellings of byKey.values()) {
      const people: number[] = [];
      for (const { id } of spellings) {
        const index = people.findIndex((person) => !refus.has(person, id));
        const person = people[index];
        if (person === undefined) people.push(id);
        else people[index] = merge(person, id);
      }
    }
    const named = byId().map((auteur) => ({ id: auteur.id, nom: fullNom(auteur) }));
    for (const { short, long } of findAbsorptions(named, refus)) merge(short.id, long.id);
  } while (left.size < before);
  const ends = new Map(Array.from(successors.keys(), (id) => [id, finalId(id)]));
  const keptIds = new Set(ends.values());
  return { successors: ends, kept: byId().filter(({ id }) => keptIds.has(id)) };
}
