import { readFileSync } from 'node:fs';

/**
 * How the service names itself to other sites, with a contact: Open Library serves those who give
 * one better. ASCII, since a header is bytes and the sources' filters are old.
 */
export function userAgent(): string {
  const { name, version, homepage, author } = readPackage();
  return `${capital(name)}/${version} (${homepage}; ${author.email})`.replace(/[^\x20-\x7e]/gu, '');
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
  readonly author: { readonly email: string };
}

function readPackage(): Package {
  const url = new URL('../../package.json', import.meta.url);
  // Our own file, whose shape the tests hold.
  return JSON.parse(readFileSync(url, 'utf8')) as Package;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
