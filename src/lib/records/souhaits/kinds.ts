import { MAX_LENGTHS } from '#shared/fields';
import { isLongerThan } from '#shared/text';
import { isbnAsWritten } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { Livre } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import * as souhaitEndpoints from '#shared/souhaits';
import { type Souhait, souhaitKey, type SouhaitSaisi, splitAuteurs } from '#shared/souhaits';
import * as revueEndpoints from '#shared/souhaits-revues';
import {
  type RevueSouhaitee,
  revueSouhaiteeKey,
  type RevueSouhaiteeSaisie,
} from '#shared/souhaits-revues';
import { ApiError, refusalOf } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { link } from '$lib/api/link';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { COVER_URL_FIELD, ISBN_FIELD, textField, titreField } from '$lib/ui/form/fields';
import {
  type FieldDescription,
  joinTokens,
  splitTokens,
  TextEntry,
} from '$lib/ui/form/text-entry.svelte';
import type { EditableKind, RecordEntry } from '$lib/ui/kind';
import { AUTEURS_FIELD } from '../auteurs/kind.ts';
import { ISSN_FIELD } from '../revues/kinds.ts';

export interface RankedWish {
  readonly id: number;
  readonly titre: string;
  /** From 1 without gaps. */
  readonly rang: number;
}

interface RankedView<T extends RankedWish, Identity> {
  /** By rank. */
  all(): readonly T[];
  count(): number;
  get(id: number): T | undefined;
  /** The wish that the server considers equal (docs/rules.md § 17). */
  find(identity: Identity): T | undefined;
}

/** @param key equal for equal wishes */
function rankedView<T extends RankedWish & Identity, Identity>(
  read: () => ReadonlyMap<number, T>,
  key: (identity: Identity) => string,
): RankedView<T, Identity> {
  const all = derivedFromViews((): readonly T[] =>
    [...read().values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
  );
  const byKey = derivedFromViews(() => new Map(all().map((wish) => [key(wish), wish])));
  return {
    all,
    count: () => read().size,
    get: (id) => read().get(id),
    find: (identity) => byKey().get(key(identity)),
  };
}

export const souhaitsView = rankedView<Souhait, Pick<Souhait, 'titre' | 'auteur'>>(
  () => views().souhaits,
  souhaitKey,
);

export const revuesSouhaiteesView = rankedView<
  RevueSouhaitee,
  Pick<RevueSouhaitee, 'titre' | 'numero'>
>(() => views()['souhaits-revues'], revueSouhaiteeKey);

/** The reader's wish for an issue of a periodical. */
export function wishedNumeros(
  { titre }: Pick<RevueSouhaitee, 'titre'>,
  numero: string,
): readonly RevueSouhaitee[] {
  const wish = numero.trim() === '' ? undefined : revuesSouhaiteesView.find({ titre, numero });
  return wish === undefined ? [] : [wish];
}

/** By ISBN-13 without hyphens. */
export const souhaitByIsbn = (isbn13: string): Souhait | undefined =>
  souhaitsView.all().find(({ isbn }) => isbn === isbn13);

const SOUHAIT_FIELDS: readonly FieldDescription<Souhait, SouhaitSaisi>[] = [
  titreField(m.livre_titre_required, ['SOUHAIT_EXISTANT']),
  {
    ...AUTEURS_FIELD,
    key: 'auteur',
    read: ({ auteur }) => joinTokens(splitAuteurs(auteur)),
    write: (text) => ({ auteur: toAuteur(text) }),
    display: toAuteur,
  },
  ISBN_FIELD,
  // Sent empty, so that the stored cover stays (docs/rules.md § 17).
  { ...COVER_URL_FIELD, read: () => '' },
];

const STORED_SOUHAIT_FIELDS = SOUHAIT_FIELDS.map((field) =>
  field.key === 'coverUrl' ? { ...field, hint: m.cover_url_hint } : field,
);

export class SouhaitEntry extends TextEntry<Souhait, SouhaitSaisi> {
  constructor(souhait: Souhait | null) {
    super(souhait === null ? SOUHAIT_FIELDS : STORED_SOUHAIT_FIELDS, souhait, {
      titre: '',
    });
  }

  /** All typed names as one text, the unfinished one included. */
  get auteur(): string {
    return toAuteur(this.text('auteur'));
  }

  /** Replaces the typed values by a catalogue's record. */
  fill({ titre, auteurs, isbn, coverUrl }: Candidat): void {
    const texts = {
      titre,
      auteur: joinTokens(fittingAuteurs(auteurs)),
      coverUrl: coverUrl ?? '',
      ...(isbn !== null && { isbn: formatIsbn(isbn) }),
    };
    for (const [key, text] of Object.entries(texts)) this.setText(key, text);
    this.prefilled = { code: isbnAsWritten(this.text('isbn')), texts };
    this.errors = {};
  }
}

/** A wish from the texts of a book's form. */
export const wishOf = (entry: Pick<TextEntry<never, never>, 'text'>): SouhaitSaisi => ({
  titre: entry.text('titre').trim(),
  auteur: fittingAuteurs(splitTokens(entry.text('auteurs'))).join(' ; '),
  isbn: entry.text('isbn').trim(),
  coverUrl: entry.text('coverUrl').trim(),
});

function toAuteur(tokensText: string): string {
  return splitTokens(tokensText).join(' ; ');
}

/** The first names that fit into a wish's author text. */
const fittingAuteurs = (noms: readonly string[]): readonly string[] =>
  noms.filter((_, i) => !isLongerThan(noms.slice(0, i + 1).join(' ; '), MAX_LENGTHS.nom));

const REVUE_FIELDS: readonly FieldDescription<RevueSouhaitee, RevueSouhaiteeSaisie>[] = [
  titreField(m.revue_titre_required, ['SOUHAIT_EXISTANT']),
  textField('numero', {
    label: m.field_numero,
    hint: m.numero_hint,
    maxlength: MAX_LENGTHS.nom,
  }),
  ISSN_FIELD,
];

export class RevueSouhaiteeEntry extends TextEntry<RevueSouhaitee, RevueSouhaiteeSaisie> {
  constructor(revue: RevueSouhaitee | null) {
    super(REVUE_FIELDS, revue, { titre: '' });
  }
}

export interface RankedKind<R extends RankedWish, E extends RecordEntry<R>> extends EditableKind<
  R,
  E
> {
  /** The list, with the wish open. */
  readonly hrefOf: (wish: R) => string;
  /** @throws `LISTE_PERIMEE` once this device shows the list as the server has it */
  readonly ordonner: (ids: readonly number[], batch: Batch) => Promise<readonly R[]>;
}

/** If another device has changed the list, this one catches up before the refusal is thrown. */
export async function catchUpWhenStale<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === 'LISTE_PERIMEE') await link.catchUp();
    if (refusal?.code !== 'INTROUVABLE') throw error;
    await link.catchUp();
    throw new ApiError('refusal', m.souhait_gone(), refusal);
  }
}

/** Throws the refusal `SOUHAIT_EXISTANT` if the book is in the list. */
export const ajouterSouhait = operation(souhaitEndpoints.ajouterSouhait);
const modifierSouhait = operation(souhaitEndpoints.modifierSouhait);
const supprimerSouhait = operation(souhaitEndpoints.supprimerSouhait);
const ordonnerSouhaits = operation(souhaitEndpoints.ordonnerSouhaits);
const buySouhait = operation(souhaitEndpoints.acheterSouhait, {
  notice: ({ id }) => ({ href: href(`/livres/${id}`) }),
});

export const souhaits: RankedKind<Souhait, SouhaitEntry> = {
  collection: 'souhaits',
  label: m.kind_souhait,
  fields: SOUHAIT_FIELDS,
  get: (id) => souhaitsView.get(id),
  titreOf: ({ titre }) => titre,
  hrefOf: ({ id }) => href(`/souhaits?livre=${id}`),
  entryOf: (souhait) => new SouhaitEntry(souhait),
  ajouter: (entry, givenUp) => ajouterSouhait(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    catchUpWhenStale(() => modifierSouhait(id, entry.toSaisie(), { ifMatch, givenUp })),
  supprimer: ({ id }, ifMatch) => supprimerSouhait(id, { ifMatch }),
  ordonner: (ids, batch) => catchUpWhenStale(() => ordonnerSouhaits({ ids: [...ids] }, { batch })),
};

export const ajouterRevueSouhaitee = operation(revueEndpoints.ajouterRevueSouhaitee);
const modifierRevueSouhaitee = operation(revueEndpoints.modifierRevueSouhaitee);
const supprimerRevueSouhaitee = operation(revueEndpoints.supprimerRevueSouhaitee);
const ordonnerRevuesSouhaitees = operation(revueEndpoints.ordonnerRevuesSouhaitees);
const buyRevueSouhaitee = operation(revueEndpoints.acheterRevueSouhaitee, {
  notice: ({ revueId }) => ({ href: href(`/revues/${revueId}`) }),
});

export const revuesSouhaitees: RankedKind<RevueSouhaitee, RevueSouhaiteeEntry> = {
  collection: 'souhaits-revues',
  label: m.kind_souhait,
  fields: REVUE_FIELDS,
  get: (id) => revuesSouhaiteesView.get(id),
  titreOf: ({ titre }) => titre,
  hrefOf: ({ id }) => href(`/souhaits?revue=${id}`),
  entryOf: (revue) => new RevueSouhaiteeEntry(revue),
  ajouter: (entry, givenUp) => ajouterRevueSouhaitee(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    catchUpWhenStale(() => modifierRevueSouhaitee(id, entry.toSaisie(), { ifMatch, givenUp })),
  supprimer: ({ id }, ifMatch) => supprimerRevueSouhaitee(id, { ifMatch }),
  ordonner: (ids, batch) =>
    catchUpWhenStale(() => ordonnerRevuesSouhaitees({ ids: [...ids] }, { batch })),
};

/** The address of the wish for a book; `undefined` where it is not on the list. */
export function wishHrefOf(book: Parameters<typeof souhaitsView.find>[0]): string | undefined {
  const wish = souhaitsView.find(book);
  return wish && souhaits.hrefOf(wish);
}

/** The same for an issue of a periodical. */
export function numeroWishHrefOf(
  numero: Parameters<typeof revuesSouhaiteesView.find>[0],
): string | undefined {
  const wish = revuesSouhaiteesView.find(numero);
  return wish && revuesSouhaitees.hrefOf(wish);
}

/**
 * Turns a wish into a printed book with its data, and removes it from the list. Throws the refusal `DOUBLON` with
 * `similaires`, unless the duplicate is confirmed.
 */
export const acheterSouhait = (id: number, confirmerDoublon: boolean): Promise<Livre> =>
  catchUpWhenStale(() => buySouhait(id, {}, { query: { confirmerDoublon } }));

/**
 * Turns a wish into an issue of its periodical, created if needed, and removes it from the list; for an owned issue
 * only the latter.
 */
export async function acheterRevueSouhaitee(
  { id, titre }: RevueSouhaitee,
  numero: string,
): Promise<void> {
  try {
    await catchUpWhenStale(() => buyRevueSouhaitee(id, { numero }));
  } catch (error) {
    if (refusalOf(error)?.code !== 'NUMERO_EXISTANT') throw error;
    const notice = () => ({ text: m.achat_revue_owned({ titre }) });
    await supprimerRevueSouhaitee(id, { notice });
  }
}
