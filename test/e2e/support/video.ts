import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backOfBook } from '../../support/ean13.ts';

const FRAMES_A_SECOND = 5;

/** How many frames a book is held before the camera, and how many none is. */
const HELD = 6;
const BETWEEN = 2;

/** What Chromium's fake camera shows, over and over: one book after the other. */
interface Video {
  /** The options of the browser that sees it, and asks nobody whether it may. */
  readonly args: string[];
  readonly remove: () => void;
}

/** Makes the video of these barcodes, as raw YUV4MPEG2. */
export function videoOf(codes: readonly string[]): Video {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-video-'));
  const path = join(folder, 'camera.y4m');
  writeFileSync(path, y4m(codes));
  return {
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${path}`,
    ],
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function y4m(codes: readonly string[]): Buffer {
  const { width, height } = backOfBook(null);
  const grey = Buffer.alloc((width * height) / 2, 128);
  const frame = (code: string | null) => [
    Buffer.from('FRAME\n'),
    Buffer.from(backOfBook(code).pixels),
    grey,
  ];
  const held = (code: string | null, frames: number) =>
    Array.from({ length: frames }, () => frame(code)).flat();
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`),
    ...codes.flatMap((code) => [...held(code, HELD), ...held(null, BETWEEN)]),
  ]);
}
