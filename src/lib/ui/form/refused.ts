import type { Refusal } from '$lib/api/call';
import type { RefusalCode } from '#shared/refusals';

/** A field that can be refused, by its name in the request. */
export interface FieldWithRefusals {
  readonly key: string;
  /** Refusals shown at this field, besides those that name it. */
  readonly refusals?: readonly RefusalCode[];
}

/**
 * The messages of a refusal by field; empty if it belongs to none.
 *
 * @param prefix the record's path in the request, such as `numero.`
 */
export function errorsOf(
  refusal: Refusal | null,
  fields: readonly FieldWithRefusals[],
  prefix = '',
): Readonly<Record<string, string>> {
  if (refusal === null) return {};
  const keys = new Set(fields.map(({ key }) => key));
  const faults =
    refusal.code === 'REQUETE_INVALIDE'
      ? refusal.champs
          .filter(({ champ }) => champ.startsWith(prefix))
          .map(({ champ, message }) => ({
            key: champ.slice(prefix.length).split('.')[0] ?? '',
            message,
          }))
          .filter(({ key }) => keys.has(key))
      : fields
          .filter(({ refusals }) => refusals?.includes(refusal.code))
          .map(({ key }) => ({ key, message: refusal.message }));
  return Object.fromEntries(faults.map(({ key, message }) => [key, message]));
}
