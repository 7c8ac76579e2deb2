import { withAbsentFields } from '#shared/absent-fields';
import type { CollectionName } from '#shared/collection-names';
import { documentShapes } from './document-shapes.ts';

const shapes = new Map(documentShapes);

/**
 * A record of an earlier shape, with empty values for the fields that came since. They are the server's own:
 * no migration gives a row another value without a line of the journal (test/released).
 */
export const inTodaysShape = (kind: CollectionName, document: object | null): object | null =>
  document === null ? null : withAbsentFields(shapes.get(kind) ?? {}, document);
