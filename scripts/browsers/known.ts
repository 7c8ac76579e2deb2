/** A capability that a scenario needs and Firefox lacks, as a row of the table in `docs/browsers.md`. */
interface Lack {
  readonly file: string;
  readonly title: string;
  readonly row: string;
}

const lacks = (row: string, file: string, titles: readonly string[]): Lack[] =>
  titles.map((title) => ({ file: `test/e2e/${file}.test.ts`, title, row }));

const MEDIA = 'emulation of the theme, of paper and of less motion';
const KEYS = 'keys at the pace of a scanner on the desk, whatever the machine does besides';
const STYLE = 'a style that a test adds to the page';
const FINGER = 'a finger that the test moves';
const COMPOSED = 'a text that an input method composes, by the test';
const ALIVE = 'a page that lives on while a test reads it over and over';
const PASSKEY = 'a passkey that the test makes';
const MADE = 'the download event of a file that the page has made, the first time';
const FAILED = 'the failure event of a script that could not be loaded';
const CAMERA = 'a camera that shows what the test gives it';
const FROZEN = 'a process of a page that the test finds and stops';

/** The scenarios that fail since Firefox cannot do something; every other failure is a fault. */
export const KNOWN: readonly Lack[] = [
  ...lacks(FROZEN, 'frozen', [
    'a frozen tab stops no other one',
    'a frozen window writes nothing of a deleted copy back',
    'a window frozen in view is missed by another',
  ]),
  ...lacks(MEDIA, 'back-and-forth', [
    'address and screen agree after any presses',
    'Back while a book opens shows the catalogue',
  ]),
  ...lacks(MEDIA, 'sheets', ['a sheet dragged beyond a third closes']),
  ...lacks(MEDIA, 'layout', ['a screen has one slab of accent, light and dark']),
  ...lacks(MEDIA, 'reglages', ['settings of a device stay until they are given up']),
  ...lacks(MEDIA, 'rangement-labels', ['every printed label’s code leads to its location']),
  ...lacks(MEDIA, 'imprimer', ['the catalogue alone is printed, by author or location']),
  ...lacks(PASSKEY, 'cles-acces', [
    'the first member signs in by the passkey they made',
    'a member adds, names and removes a passkey',
    'a passkey works below a path',
  ]),
  ...lacks(MADE, 'lectures', [
    '« Mes lectures » counts readings by year, and has a book under way without a day',
  ]),
  ...lacks(FAILED, 'late-parts', ['a print part that cannot load leaves the page working']),
  ...lacks(KEYS, 'late-parts', [
    'a scan before its code is there is kept',
    'scans before their code is there leave the field',
    'an early scan into a code field saves its form',
    'a person’s Enter waits for no scanner',
    'a scan while « Vérifier » is loaded is for it',
  ]),
  ...lacks(KEYS, 'late-answers', [
    'a late response does not navigate once the reader has left the screen',
  ]),
  ...lacks(KEYS, 'live-regions', [
    'announcements are written into a live region that exists already',
  ]),
  ...lacks(KEYS, 'one-confirmation', ['each book of a pile is confirmed by its line']),
  ...lacks(KEYS, 'scanner-speeds', ['no scan is lost at any speed']),
  ...lacks(KEYS, 'shelf-silent', [
    'a shelf scanned while catalogues are silent is kept',
    'silence keeps codes that a form has no room for',
    'late answers change no code that was kept meanwhile',
  ]),
  ...lacks(KEYS, 'rangement-labels', [
    'a scanned label opens its location from any screen',
    'a scanned label chooses where books are put away',
  ]),
  ...lacks(KEYS, 'rangement-scans', [
    'forty books put away are undone as one',
    'a book is put away once the service says so',
    'a shelf checked without a network survives a reload',
    'a finished check shows whole titles from its top',
  ]),
  ...lacks(KEYS, 'scan-session', [
    'a scan session applies one change to all its books',
    'the scan session and the form count its books alike',
    'a book deleted elsewhere leaves the scan session',
    'codes that wait go on after a reload',
    'a code kept beside a form offline is asked later',
    'codes scanned without a network are looked up later, and an addition cannot be undone without one',
    'a scan at the end of the scan session counts there',
    'a title search answers for no scanned code',
  ]),
  ...lacks(KEYS, 'scanner', [
    'sixty books scanned in haste are sixty books',
    'a part of a listed code gets no line',
    'an incomplete record is one line above the form',
    'a code that waits for its answer is not unfinished',
    'an answer takes no digit of the next code',
    'a scanned code triggers its screen’s action',
    'a code loses nothing that a person types',
    'a waiting code gives the reason',
  ]),
  ...lacks(ALIVE, 'other-household', [
    'a replica stays when an empty household answers, and continues with its own',
  ]),
  ...lacks(KEYS, 'other-household', ['wishes noted for one household are not sent to another']),
  ...lacks(KEYS, 'scans-kept', [
    'two tabs of a reader lose no scan',
    'two tabs putting books away lose no scan',
    'two tabs checking a shelf lose no scan',
    'books being put away go on after a reload',
    'books being lent go on after a reload',
    'a code scanned before a reload is asked again',
    'no order of answers, presses and scans loses a code',
  ]),
  ...lacks(KEYS, 'revues', ['a scanned periodical leads from « Ajouter » to its screen']),
  ...lacks(KEYS, 'unknown-code', [
    'the message of a scan covers no button at a desk',
    'an empty house offers to add a scanned code',
    'a title that begins like a code is a title',
  ]),
  ...lacks(KEYS, 'scans-before-copy', ['a code scanned before the replica is processed later']),
  ...lacks(ALIVE, 'bibliographie', ['a silent source is distinguished from an empty list']),
  ...lacks(ALIVE, 'couvertures-autres', [
    'another cover of the sources is chosen by a press, and can be undone',
  ]),
  ...lacks(ALIVE, 'couvertures-new', [
    'a cover photographed while adding becomes the new book’s or wish’s, never an issue’s',
  ]),
  ...lacks(ALIVE, 'feedback', ['an undo beside a form’s « Annuler » names its act']),
  ...lacks(ALIVE, 'importer', ['an unknown table is read by the columns one names']),
  ...lacks(ALIVE, 'importer', ['an import is undone and redone']),
  ...lacks(ALIVE, 'livre-conflicts', [
    'the form shows another person’s conflicting text',
    'another’s edit is settled field by field',
  ]),
  ...lacks(ALIVE, 'modifications', ['a deleted book is restored with all that it had']),
  ...lacks(ALIVE, 'rangement', ['a book or a selection is sent to its location']),
  ...lacks(ALIVE, 'recherche-titre', ['a book without an ISBN is found by its title']),
  ...lacks(ALIVE, 'recherche', ['every end of a lookup has its accessible face']),
  ...lacks(ALIVE, 'revues-printed', ['a printed date is sorted among others']),
  ...lacks(ALIVE, 'souhaits-long', ['only wishes near the window are on the page']),
  ...lacks(ALIVE, 'souhaits-states', ['every state of the wishes is accessible, in every look']),
  ...lacks(COMPOSED, 'while-saving', ['composed text does not enter a form being saved']),
  // This scenario takes a picture of the screen.
  ...lacks(STYLE, 'late-parts', ['a module deleted with its version reloads the page']),
  ...lacks(FINGER, 'souhaits-drag', ['a dragged wish drops where it is shown']),
  ...lacks(FINGER, 'souhaits-order', ['a finger drags a wish by its handle']),
  ...lacks(CAMERA, 'recherche-camera', [
    'the camera reads a code into the form',
    'the camera reports each code of a shelf once',
    'offline each code is owned, wished for, or not',
    'in a bookshop a scanned book is put on the wish list',
  ]),
];
