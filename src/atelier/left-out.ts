const OF_A_RECORD =
  'needs a record of the copy with its kind: the pictures of the edit screens show it';

/** The components of `src/lib/ui` without a place in the workshop, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ReplicaGate: 'says how the replica of this device stands, which is whole here',
  DeleteRecord: OF_A_RECORD,
  ErrorBoundary: 'is what stands in it, or a sentence as that of LoadFailed',
  Lazy: 'is what it has loaded, or LoadFailed',
  Letters: 'is the other half of LetterRail, which loads it behind the list',
  NearWindow: 'has no look of its own',
  RecordEditor: OF_A_RECORD,
  RecordGate: OF_A_RECORD,
  RecordHead: 'stands at the head of a record: the picture of an issue shows it',
  RecordScreen: OF_A_RECORD,
  ShelfRow: 'has covers of records: the pictures of series, authors and periodicals show it',
  'conflict/ConflictNote': OF_A_RECORD,
  'conflict/DeletionQuestion': OF_A_RECORD,
  'form/DraftNote': OF_A_RECORD,
  'form/EntryForm': OF_A_RECORD,
  'form/RecordForm': OF_A_RECORD,
  'order/ReorderButton': 'is a tool of a record: the pictures of a series and a location show it',
};
