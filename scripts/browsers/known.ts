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
const PASSKEY = 'a passkey that the test makes';
const MADE = 'being told of a file that the page has made itself, the first time';
const FAILED = 'being told that a script could not be loaded';
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
  ...lacks(MEDIA, 'imprimer', [
    'the catalogue is printed by author, or by location, and nothing else with it',
  ]),
  ...lacks(PASSKEY, 'cles-acces', [
    'the first member comes by a passkey, signs in by it, and sets a password beside it',
    'a member adds, names and removes a passkey, and is told where none is given',
    'below a path a passkey is made and taken all the same',
  ]),
  ...lacks(MADE, 'lectures', [
    '« Mes lectures » shows them by year, takes one of another’s book, and counts the year',
  ]),
  ...lacks(FAILED, 'late-parts', [
    'what a list is printed by cannot be loaded: the page goes on without a fault',
  ]),
  ...lacks(KEYS, 'one-confirmation', [
    'each book of a pile is confirmed once, by its line, which takes it back',
  ]),
  ...lacks(KEYS, 'scanner-speeds', [
    'no scan is lost at any speed on five screens, wherever the focus is',
  ]),
  ...lacks(KEYS, 'shelf-silent', [
    'a shelf is scanned while the catalogues are silent: its books are kept by their codes, and titled by hand or by themselves, an ebook without pages',
    'what was scanned in silence is asked again by a press',
  ]),
  ...lacks(KEYS, 'rangement-labels', [
    'on a plain and a French keyboard a scanned label opens its location wherever one is',
    'while books are put away or counted a scanned label chooses the location; in a text and in a dialog it stays text',
  ]),
  ...lacks(KEYS, 'rangement-scans', [
    'forty books are put away by their codes or names, and taken back as one',
    'a book counts as put away once the service says so; a reload, no network and no location lose none',
    'a shelf is checked without a network and after a reload; what it finds is set right by one press a group, and stays',
  ]),
  ...lacks(KEYS, 'scan-session', [
    'a session of scans is kept, does one thing to all, and proposes a series once',
    'codes that wait have a line after a reload, and are asked again by one press; a book left offline says no more of it',
  ]),
  ...lacks(KEYS, 'scanner', [
    'twenty books, each after the one before is in the form, and forty at five a second are sixty books',
    'a part of a code that has its line gets none of its own',
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
  ...lacks(ALIVE, 'importer', [
    'an import is taken back and made again by the bar, and the report says what is true',
  ]),
  ...lacks(ALIVE, 'jackets', [
    'what goes on in the house stands above the list of a phone, until it is closed for good',
  ]),
  ...lacks(ALIVE, 'livre-conflicts', [
    'what another has written is told at the form, if it is a conflict',
    'what another has written while the form was open is settled field by field',
  ]),
  ...lacks(ALIVE, 'modifications', [
    'a deleted book is found in the trash, read as it was, and restored with all that it had; a book tells its own history, field by field',
  ]),
  ...lacks(ALIVE, 'rangement', [
    'a book says where it is, goes elsewhere, the next one goes there by one press, a selection where it is sent',
  ]),
  ...lacks(ALIVE, 'recherche-titre', [
    'a book without its ISBN is found by its title, also by Enter, which saves no book of a title alone',
  ]),
  ...lacks(ALIVE, 'recherche', [
    'every end of a lookup has a face of its own, which everyone can read in every look',
  ]),
  ...lacks(ALIVE, 'revues-printed', [
    'a date as printed is kept as it is, and stands in order with the others',
  ]),
  ...lacks(ALIVE, 'souhaits-long', [
    'of two hundred wishes only those near the window are on the page',
    'wishes are sorted, exported and bought from where one looks',
  ]),
  ...lacks(ALIVE, 'souhaits-states', ['every state of the wishes is accessible, in every look']),
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
