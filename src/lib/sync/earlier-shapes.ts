import { withAbsentFields } from '#shared/absent-fields';
import type { CollectionName } from '#shared/collection-names';
import { documentShapes } from './shapes.ts';

const shapes = new Map(documentShapes);

/**
 * Converts a record of an earlier shape, with empty values for newer fields. These are the server's values, too: no
 * migration changes a value without a journal entry (test/released). A history entry with only a sentence keeps it.
 */
export function inTodaysShape(kind: CollectionName, document: object | null): object | null {
  if (document === null) return null;
  if (kind !== 'modifications' || !('resume' in document))
    return withAbsentFields(shapes.get(kind) ?? {}, document);
  const { resume, ...rest } = document;
  const message = { fait: 'phrase', phrase: resume };
  return withAbsentFields(shapes.get(kind) ?? {}, { arguments: message, ...rest });
}
