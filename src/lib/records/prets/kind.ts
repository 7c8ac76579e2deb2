import { operation } from '$lib/api/write.svelte';
import { dateOf, dayOf, formatDay, hasCome, instantOf, now } from '$lib/format/dates';
import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { textField } from '$lib/ui/form/fields';
import { type FieldDescription, TextEntry } from '$lib/ui/form/text-entry.svelte';
import type { FormKind } from '$lib/ui/kind';
import { MAX_LENGTHS } from '#shared/fields';
import * as endpoints from '#shared/prets';
import type { Pret, PretCorrige, PretSaisi } from '#shared/prets';
import { pretsView } from './view.svelte.ts';

/** The bar's notice for a borrower typed in another spelling than the known one; the default otherwise. */
export const spellingNotice = ({
  emprunteur,
  emprunteurSaisi: saisi,
}: {
  readonly emprunteur: string;
  readonly emprunteurSaisi?: string;
}) => (saisi === undefined ? {} : { text: m.emprunteur_known({ emprunteur, saisi }) });

/** Lends a paper book. Throws the refusal `DEJA_PRETE` with the name of the borrower. */
export const preter = operation(endpoints.preter, { notice: spellingNotice });
const modifierPret = operation(endpoints.modifierPret, { notice: spellingNotice });
/** Returns a loan; a closed one is unchanged (docs/rules.md § 11). */
export const rendre = operation(endpoints.rendre);

/** The days of a loan as typed: its beginning, '' for today, and its agreed end, '' for none. */
export interface PretDays {
  readonly from: string;
  readonly until: string;
}

export const NO_DAYS: PretDays = { from: '', until: '' };

export const endsBeforeItBegins = ({ from, until }: PretDays, now: Date): boolean =>
  until !== '' && until < (from || dayOf(now));

export const canLendOn = (days: PretDays, now: Date): boolean =>
  hasCome(days.from, now) && !endsBeforeItBegins(days, now);

/** The request: today, and a field without a day, are left out. */
export const pretSaisi = (emprunteur: string, { from, until }: PretDays, now: Date): PretSaisi => ({
  emprunteur,
  ...(from !== '' && from !== dayOf(now) && { datePret: instantOf(from, now) }),
  ...(until !== '' && { dateRetourPrevue: until }),
});

/** '' for an invalid moment, so that the day is entered again. */
function dayOfMoment(text: string): string {
  const date = dateOf(text);
  return date === null ? '' : dayOf(date);
}

const PRET_FIELDS: readonly FieldDescription<Pret, PretCorrige>[] = [
  textField('emprunteur', {
    label: m.field_emprunteur,
    maxlength: MAX_LENGTHS.nom,
    check: (emprunteur) => (emprunteur.trim() === '' ? m.emprunteur_required() : undefined),
  }),
  {
    key: 'datePret',
    label: m.field_date_pret,
    type: 'date',
    max: () => dayOf(now()),
    read: ({ datePret }) => dayOfMoment(datePret),
    write: (day) => ({ datePret: instantOf(day, now()) }),
    display: formatDay,
    check: (day) => {
      if (day === '') return m.date_pret_required();
      return hasCome(day, now()) ? undefined : m.date_pret_future();
    },
  },
  textField('dateRetourPrevue', {
    label: m.field_date_retour_prevue,
    type: 'date',
    display: formatPartialDate,
  }),
];

export class PretEntry extends TextEntry<Pret, PretCorrige> {
  readonly #pret: Pret;

  constructor(pret: Pret) {
    super(PRET_FIELDS, pret, { emprunteur: '', datePret: pret.datePret });
    this.#pret = pret;
  }

  get livreId(): number {
    return this.#pret.livreId;
  }

  override check(): boolean {
    const isRight = super.check();
    const days = { from: this.text('datePret'), until: this.text('dateRetourPrevue') };
    if (!endsBeforeItBegins(days, now())) return isRight;
    this.errors = { ...this.errors, dateRetourPrevue: m.date_retour_prevue_before() };
    return false;
  }

  /** A day that was left alone keeps its time. */
  override toSaisie(): PretCorrige {
    const { datePret } = this.#pret;
    const saisie = super.toSaisie();
    return this.text('datePret') === dayOfMoment(datePret) ? { ...saisie, datePret } : saisie;
  }
}

export const prets: FormKind<Pret, PretEntry> = {
  collection: 'prets',
  get: (id) => pretsView.get(id),
  entryOf: (pret) => new PretEntry(pret),
  ajouter: (entry, givenUp) => preter(entry.livreId, entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierPret(id, entry.toSaisie(), { ifMatch, givenUp }),
  // The history lists a loan as a part of its book.
  writtenAs: ({ livreId }) => ({ collection: 'livres', id: livreId }),
};
