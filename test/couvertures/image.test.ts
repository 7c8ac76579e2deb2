import { expect, test } from 'vitest';
import { detectImageType } from '#server/subjects/couvertures/image';
import * as images from './images.ts';

const { AVIF, AVIF_GENERIC, GIF, HEIC, HTML, JPEG, PNG, SVG, WEBP } = images;

test.each<[string, Buffer, string, string | null]>([
  ['JPEG', JPEG, 'image/jpeg', 'image/jpeg'],
  ['JPEG by another name', JPEG, 'image/jpg', 'image/jpeg'],
  ['PNG', PNG, 'image/png', 'image/png'],
  ['GIF', GIF, 'image/gif', 'image/gif'],
  ['WebP', WEBP, 'image/webp', 'image/webp'],
  ['AVIF', AVIF, 'image/avif', 'image/avif'],
  ['AVIF in a general box', AVIF_GENERIC, 'image/avif', 'image/avif'],
  ['parameters and case', PNG, 'Image/PNG; charset=binary', 'image/png'],
  ['a PNG called JPEG', PNG, 'image/jpeg', 'image/png'],
  ['a PNG called HTML', PNG, 'text/html', null],
  ['a PNG called SVG', PNG, 'image/svg+xml', null],
  ['a PNG called nothing', PNG, '', null],
  ['an SVG', SVG, 'image/svg+xml', null],
  ['an SVG called PNG', SVG, 'image/png', null],
  ['HTML called PNG', HTML, 'image/png', null],
  ['HEIC called AVIF', HEIC, 'image/avif', null],
  ['nothing', Buffer.alloc(0), 'image/png', null],
  ['a PNG behind a space', Buffer.concat([Buffer.from(' '), PNG]), 'image/png', null],
])('%s', (_, content, declared, type) => {
  expect(detectImageType(content, declared)).toBe(type);
});
