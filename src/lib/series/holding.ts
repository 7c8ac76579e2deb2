import { intlLocale } from '$lib/format/locale';
import { m } from '$lib/paraglide/messages';
import { ownSerie, seriesView } from '$lib/records/series/view.svelte';
import type { Serie } from '#shared/series';
import { lastTome, missingNumeros, formatTomes, type Holding } from '#shared/series-gaps';

/** For a row: « 11 sur 31 », « 8 volumes, complète ». */
export function holdingLabel({ owned, total, isComplete }: Holding): string {
  if (total === 0) return m.no_volumes();
  const volumes = m.count_volumes({ owned });
  if (isComplete) return m.volumes_complete({ volumes });
  return owned === total ? volumes : m.volumes_owned({ owned, total });
}

/** A sentence on the owned and missing volumes: « 11 tomes sur 31 : il manque … ». */
export function holdingSentence(serie: Serie): string {
  const holding = seriesView.holding(serie);
  const { owned, total, isComplete } = holding;
  if (total === 0 || isComplete) return holdingLabel(holding);
  const last = serie.sousSeries.length === 0 ? lastTome(serie) : null;
  const count =
    owned > 0 && last !== null && serie.nombreTomes === null
      ? m.volumes_until({ owned, last })
      : owned === total
        ? m.count_volumes({ owned })
        : m.of_total({ count: m.count_volumes({ owned }), total });
  if (owned === total) return count;
  const numeros = missingNumeros(ownSerie(serie));
  return m.volumes_and_missing({
    count,
    missing:
      numeros.length === total - owned
        ? m.missing_tomes({ count: numeros.length, tomes: formatTomes(numeros) })
        : m.missing_volumes({ count: total - owned }),
  });
}

const LIST = new Intl.ListFormat(intlLocale);

export const doubledText = (numeros: readonly string[]): string =>
  numeros.length === 0
    ? ''
    : m.numeros_doubled({ count: numeros.length, numeros: LIST.format(numeros) });
