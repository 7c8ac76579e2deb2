import { withAbsentFields } from '#shared/absent-fields';
import type { CollectionName } from '#shared/collection-names';
import { documentShapes } from './shapes.ts';

const shapes = new Map(documentShapes);

/**
 * A record of an earlier shape, with empty values for the fields that came since. They are the server's own:
 * no migration gives a row another value without a line of the journal (test/released). An act that was kept with its
 * sentence keeps that.
 */
export function inTodaysShape(kind: CollectionName, document: object | null): object | null {
  if (document === null) return null;
  if (kind !== 'modifications' || !('resume' in document))
    return withAbsentFields(shapes.get(kind) ?? {}, document);
  const { resume, ...rest } = document;
  const message = { fait: 'phrase', phrase: resume };
  return withAbsentFields(shapes.get(kind) ?? {}, { arguments: message, ...rest });
}
