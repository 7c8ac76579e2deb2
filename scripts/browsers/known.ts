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
const CAMERA = 'a camera that shows what the test gives it';

/** The scenarios that fail in Firefox for what it cannot do; every other failure is one. */
export const KNOWN: readonly Lack[] = [
  ...lacks(MEDIA, 'reglages', [
    'a theme that is chosen goes before that of the device, until it is given up',
  ]),
  ...lacks(MEDIA, 'rangement-labels', [
    'the code of each printed label leads to its location, on every sheet',
    'a screen that is printed after the labels is itself',
  ]),
  ...lacks(KEYS, 'rangement-labels', [
    'on a plain keyboard a scanned label opens its location wherever one is',
    'on a French keyboard a scanned label opens its location wherever one is',
    'while books are put away or counted a scanned label chooses the location',
    'in a text and in a dialog a scanned label stays text, and the field of codes stays as it is',
  ]),
  ...lacks(KEYS, 'rangement-scans', [
    'forty books are put away by their codes or names, and taken back as one',
    'a stocktaking goes on without a network and after a reload, and is set right by one press',
  ]),
  ...lacks(KEYS, 'scan-session', [
    'a session of scans is kept, does one thing to all, and proposes a series once',
    'codes that wait for their turn have a line after a reload, and are asked again by one press',
    'a book that is left unfinished without a network says no more of it once it is back',
  ]),
  ...lacks(KEYS, 'scanner', [
    'forty books, one a second, are forty books',
    'forty books, five a second, are forty books',
    'what is not complete waits in a list, to be finished, and nothing is lost',
    'a code that is scanned before the copy is there waits for it, and is not said to be unknown',
    'in the catalogue a code opens its book, or says that it is not there',
    'in a text that is typed a code stays text and saves nothing; Enter of a person is theirs',
    'what stands in the form again gives way to the next code, and is not lost',
    'an answer which selects what is in the field comes between two digits of the next code',
    'an answer which takes the focus to the choice comes between two digits of the next code',
    'an answer which takes the focus to « Enregistrer » comes between two digits of the next code',
    'offline each code keeps a line that says why nothing is written',
    'on « Scanner » a code does what the camera does',
  ]),
  ...lacks(KEYS, 'scans-before-copy', [
    'a code that is scanned offline before the copy is read waits for it, and goes on by itself',
  ]),
  // It takes a picture of the screen.
  ...lacks(STYLE, 'late-parts', ['a picture is not lost while its frame cannot be loaded']),
  ...lacks(FINGER, 'souhaits-drag', ['a finger at the edges scrolls down and up again']),
  ...lacks(FINGER, 'souhaits-order', ['a finger drags a wish by its handle']),
  ...lacks(CAMERA, 'recherche-camera', [
    'the camera reads a code into the form',
    'a whole shelf: each code once, with what became of it',
    'in a bookshop without a network, each code is owned, wished for, or not',
    'in a bookshop with a network, a book has its name, and goes on the list',
    'the camera stops when the scanner is left',
  ]),
];
