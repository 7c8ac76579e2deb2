import type { Kind, ScreenKind } from '$lib/ui/kind';
import { auteurs } from './auteurs/kind.ts';
import { emplacements } from './emplacements/kind.ts';
import { lectures } from './lectures/kind.ts';
import { livres } from './livres/kind.ts';
import { numeros, revues } from './revues/kinds.ts';
import { series } from './series/kind.ts';
import { revuesSouhaitees, souhaits } from './souhaits/kinds.ts';

/** A kind of record, read by what serves every kind. */
interface AnyKind extends Pick<Kind<never>, 'collection' | 'label' | 'told'> {
  readonly fields: readonly Pick<
    Kind<never>['fields'][number],
    'key' | 'label' | 'tell' | 'tellFirst'
  >[];
  /** The name of a record; `undefined` where this device does not have it. */
  readonly nameOf: (id: number) => string | undefined;
  /** The address of the record's screen; `null` without a screen or without the record. */
  readonly hrefOf: (id: number) => string | null;
}

function known<R extends { readonly id: number }>(
  kind: Kind<R> & Partial<Pick<ScreenKind<R>, 'hrefOf'>>,
): AnyKind {
  const ofRecord = <T>(id: number, read: ((record: R) => T) | undefined): T | undefined => {
    const record = kind.get(id);
    return record && read?.(record);
  };
  return {
    ...kind,
    nameOf: (id) => ofRecord(id, kind.titreOf),
    hrefOf: (id) => ofRecord(id, kind.hrefOf) ?? null,
  };
}

/** Every kind of record that the history tells, by its collection. */
export const kinds: ReadonlyMap<string, AnyKind> = new Map(
  [
    known(livres),
    known(auteurs),
    known(series),
    known(emplacements),
    known(revues),
    known(numeros),
    known(lectures),
    known(souhaits),
    known(revuesSouhaitees),
  ].map((kind) => [kind.collection, kind]),
);
