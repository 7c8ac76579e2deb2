import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backOfBook } from '../../support/ean13.ts';

const FRAMES_A_SECOND = 5;

/** Frames with a book, and frames without one after it. */
const BOOK_FRAMES = 6;
const BETWEEN = 2;

/** A video for Chromium's fake camera, which repeats it: one book after the other. */
interface Video {
  /** Options of the browser: use the video as camera, and grant the permission. */
  readonly args: string[];
  readonly remove: () => void;
}

/** Creates a raw YUV4MPEG2 video of these barcodes. */
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
  const framesOf = (code: string | null, frames: number) =>
    Array.from({ length: frames }, () => frame(code)).flat();
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`),
    ...codes.flatMap((code) => [...framesOf(code, BOOK_FRAMES), ...framesOf(null, BETWEEN)]),
  ]);
}
