import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { hasPicture } from '#shared/couvertures';
import { issnOfCode977, parseIssn } from '#shared/issn';
import { NumeroIndex } from '#shared/numero-index';
import type { Numero, NumeroCriteres } from '#shared/numeros';
import { issnsOf, type Revue, type RevueSaisie } from '#shared/revues';
import { formatNumero } from '#shared/numero-name';
import { textKey } from '#shared/text';

/** Issues are normalised once, lazily. */
export const numeroIndex = derivedFromViews((): NumeroIndex => {
  const { revues, numeros } = views();
  const index = new NumeroIndex();
  index.applyRevues(revues.values());
  index.applyNumeros(numeros.values());
  return index;
});

export const revuesView = {
  all: (): readonly Revue[] => numeroIndex().revues,
  get: (id: number): Revue | undefined => numeroIndex().revue(id),
  /**
   * The periodical that the server would match: by ISSN, else by title unless both have an ISSN (docs/rules.md § 20).
   */
  find({ titre, issn = null, secondIssn = null }: RevueSaisie): Revue | undefined {
    const issns = [issn ?? '', secondIssn ?? ''].flatMap(
      (text) => parseIssn(text) ?? issnOfCode977(text)?.issn ?? [],
    );
    const all = this.all();
    const [byIssn] = issns.flatMap((one) => all.filter((revue) => issnsOf(revue).includes(one)));
    if (byIssn || titre.trim() === '') return byIssn;
    const key = textKey(titre.trim());
    return all.find(
      (revue) =>
        textKey(revue.titre) === key && (issns.length === 0 || issnsOf(revue).length === 0),
    );
  },
};

/** The issue that represents its periodical, newest first: the first with a picture. */
export const picturedNumero = (numeros: readonly Numero[]): Numero | undefined =>
  numeros.find((numero) => hasPicture(numero) || numero.coverUrl !== null);

export const numerosView = {
  count: (): number => views().numeros.size,
  get: (id: number): Numero | undefined => numeroIndex().numero(id),
  /** `undefined` where the issue belongs to another periodical. */
  getInRevue(revueId: number, id: number): Numero | undefined {
    const numero = this.get(id);
    return revuesView.get(revueId) && numero?.revueId === revueId ? numero : undefined;
  },
  ofRevue: (revueId: number): readonly Numero[] => numeroIndex().numerosOf(revueId),
  search: (criteria: NumeroCriteres): readonly Numero[] => numeroIndex().search(criteria),
};

/** Begins a line: « N° 412 ». */
export const capitalNumeroLabel = (numero: string): string =>
  formatNumero(numero).replace(/^n/u, 'N');

export const dateLabel = ({ date }: Pick<Numero, 'date'>): string =>
  date === null ? m.undated() : formatPartialDate(date);

export const numeroLabel = ({ numero, date }: Pick<Numero, 'numero' | 'date'>): string =>
  date === null
    ? formatNumero(numero)
    : m.last_numero({ numero: formatNumero(numero), date: formatPartialDate(date) });
