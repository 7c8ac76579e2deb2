/** What a scenario asks for that Firefox does not do, as a row of the table of `docs/browsers.md`. */
interface Lack {
  readonly file: string;
  readonly title: string;
  readonly row: string;
}

const lacks = (row: string, file: string, titles: readonly string[]): Lack[] =>
  titles.map((title) => ({ file: `test/e2e/${file}.test.ts`, title, row }));

const MEDIA = 'being told of the theme, of paper and of less motion by the test';
const KEYS = 'keys at the pace of a scanner on the desk, whatever the machine does besides';
const STYLE = 'a style that a test adds to the page';
const FINGER = 'a finger that the test moves';
const COMPOSED = 'a text that an input method composes, by the test';
const ALIVE = 'a page that lives on while a test reads it over and over';
const CAMERA = 'a camera that shows what the test gives it';

/** The scenarios that fail in Firefox for what it cannot do; every other failure is one. */
export const KNOWN: readonly Lack[] = [
  ...lacks(MEDIA, 'layout', ['one slab of accent a screen, light and dark']),
  ...lacks(MEDIA, 'reglages', [
    '« Réglages », « Diagnostic » and « À propos » are three tabs with one name each; theme and size of the text are set on a device, and stay until they are given up',
  ]),
  ...lacks(MEDIA, 'rangement-labels', [
    'the code of each printed label leads to its location, on every sheet; a screen that is printed after them is itself',
  ]),
  ...lacks(KEYS, 'rangement-labels', [
    'on a plain and a French keyboard a scanned label opens its location wherever one is',
    'while books are put away or counted a scanned label chooses the location; in a text and in a dialog it stays text',
  ]),
  ...lacks(KEYS, 'rangement-scans', [
    'forty books are put away by their codes or names, and taken back as one',
    'a shelf is checked without a network and after a reload; what it finds is set right by one press a group, and stays',
  ]),
  ...lacks(KEYS, 'scan-session', [
    'a session of scans is kept, does one thing to all, and proposes a series once',
    'codes that wait have a line after a reload, and are asked again by one press; a book left offline says no more of it',
  ]),
  ...lacks(KEYS, 'scanner', [
    'twenty books, each after the one before is in the form, and forty at five a second are sixty books',
    'what is not complete waits in a list, to be finished, and nothing is lost',
    'an answer comes between two digits of the next code, and takes none of it',
    'a code does what its screen is for: opens a book, says that it is not there, or adds it',
    'what a person types is not lost to a code, nor their Enter; in a text a code stays text',
    'a code waits for the first copy; offline each keeps a line that says why nothing is written',
  ]),
  ...lacks(KEYS, 'scans-before-copy', [
    'offline the form reads; a code that is scanned before the copy is read waits for it, and goes on by itself',
  ]),
  ...lacks(ALIVE, 'bibliographie', [
    'a silent source and an empty list are different messages, and every state is accessible in every look',
  ]),
  ...lacks(ALIVE, 'couvertures-autres', [
    'another cover of the sources is chosen by a press, shown by another device, undone, and put back',
  ]),
  ...lacks(ALIVE, 'couvertures-new', [
    'a cover photographed while adding is the new book’s and wish’s, goes with its addition, and an issue has none',
  ]),
  ...lacks(ALIVE, 'feedback', [
    'beside the « Annuler » of a form it is named after its act; what stands in its way is said, and nothing done',
  ]),
  ...lacks(ALIVE, 'importer', [
    'an unknown table is read by the columns that one says, pasted ISBNs by the catalogues; what is no file is refused',
  ]),
  ...lacks(COMPOSED, 'while-saving', [
    'a text that an input method composes is not taken into a form that is being saved',
  ]),
  // It takes a picture of the screen.
  ...lacks(STYLE, 'late-parts', [
    'a part that is gone with its version has the page loaded anew; a picture is not lost while its frame cannot be loaded',
  ]),
  ...lacks(FINGER, 'souhaits-drag', [
    'Escape puts a dragged wish back; dragging to the edge scrolls on, by mouse and by finger, and drops where it is shown',
  ]),
  ...lacks(FINGER, 'souhaits-order', [
    'a finger drags a wish by its handle; an order of a list that another device has changed is refused',
  ]),
  ...lacks(CAMERA, 'recherche-camera', [
    'the camera reads a code into the form',
    'a whole shelf: each code once, with what became of it; an owned book that no catalogue knows is there as soon as the copy is',
    'in a bookshop without a network, each code is owned, wished for, or not',
    'in a bookshop with a network, a book has its name, and goes on the list; the camera stops with it',
  ]),
];
