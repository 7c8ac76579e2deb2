import type { LivreDocument } from '#shared/livres';

export interface CostlyRequest {
  readonly what: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string | ((url: string) => Promise<string>);
  /** The body of the nth try; each try writes different data. */
  readonly body?: (nth: number) => Buffer;
  readonly type?: string;
  readonly once?: true;
}

export const FILE = 'application/octet-stream';
export const MARKS = 'e' + '\u0301\u0323'.repeat(100_000);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const files = (livres: readonly LivreDocument[]): CostlyRequest[] => {
  const csv = (header: string, rows: readonly string[]) =>
    Buffer.from(`${header}\n${rows.join('\n')}\n`);
  const many = csv(
    'Book Id,Title,Author,ISBN13,Exclusive Shelf',
    times(
      5000,
      (i) =>
        `${String(i)},"${livres[i]?.titre ?? 'a'} bis (Suite ${String(i % 50)}, #${String(i)})",Auteur ${String(i % 99)},,read`,
    ),
  );
  const file = (what: string, body: Buffer): CostlyRequest => ({
    what: `a file: ${what}`,
    method: 'POST',
    path: '/api/importations',
    body: () => body,
    type: FILE,
    once: true,
  });
  const lastImport = async (url: string) => {
    const all = (await (
      await fetch(`${url}/api/importations`, { headers: { SSO_USER: 'alice' } })
    ).json()) as { id: number }[];
    return `/api/importations/${String(all[0]?.id)}`;
  };
  return [
    file('5 MB of quotes', Buffer.from(`Title,Author\n${'"'.repeat(5_000_000)}`)),
    file('5 MB of separators', Buffer.from(`Title,Author\n${','.repeat(5_000_000)}`)),
    file('5 MB of zeros', Buffer.alloc(5_000_000)),
    file('marks', Buffer.from(`Title,Author\n${MARKS},a\n`)),
    file('5 MB of brackets', Buffer.from('['.repeat(5_000_000))),
    file(
      'a title of brackets',
      csv(
        'Title,Author',
        times(2000, () => `${'(a #1 '.repeat(80)},b`),
      ),
    ),
    file('5,000 books, the dry run', many),
    {
      what: '5,000 books, made real',
      method: 'POST',
      path: async (url) => `${await lastImport(url)}/execution`,
      body: () => Buffer.from('{}'),
      once: true,
    },
    { what: '5,000 books, undone', method: 'DELETE', path: lastImport, once: true },
    {
      what: 'a restore that is none',
      method: 'POST',
      path: '/api/restauration',
      body: () => Buffer.alloc(5_000_000),
      type: FILE,
    },
  ];
};

export const pictures = (): CostlyRequest[] => {
  const picture = (what: string, body: Buffer): CostlyRequest => ({
    what: `a picture: ${what}`,
    method: 'PUT',
    path: '/api/livres/2000/couverture',
    body: () => body,
    type: FILE,
  });
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return [
    picture('10 MB that begin like one', Buffer.concat([start, Buffer.alloc(10_000_000)])),
    picture('10 MB of text', Buffer.alloc(10_000_000, 'a')),
    picture(
      'a JPEG of markers',
      Buffer.concat([
        Buffer.from([0xff, 0xd8]),
        Buffer.alloc(5_000_000, Buffer.from([0xff, 0xe1, 0, 2])),
      ]),
    ),
    picture(
      'a WebP of chunks',
      Buffer.concat([
        Buffer.from('RIFF\x00\x00\x00\x00WEBP', 'latin1'),
        Buffer.alloc(5_000_000, Buffer.from('EXIF\0\0\0\0')),
      ]),
    ),
    picture(
      'an AVIF of boxes',
      Buffer.concat([
        Buffer.from('\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf\0\0\0\0', 'latin1'),
        Buffer.alloc(5_000_000, Buffer.from('\0\0\0\x08meta')),
      ]),
    ),
  ];
};
