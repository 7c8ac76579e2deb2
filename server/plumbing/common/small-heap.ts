import { setFlagsFromString } from 'node:v8';

let running = 0;

/**
 * Runs work while V8 keeps its heap small. Work that reads much allocates much that is garbage at once,
 * and V8 does not return the memory: a third of the process with 100,000 books.
 */
export function withSmallHeap<T>(work: () => T): T {
  begin();
  try {
    return work();
  } finally {
    end();
  }
}

/** The same for asynchronous work. */
export async function duringSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  begin();
  try {
    return await work();
  } finally {
    end();
  }
}

function begin(): void {
  if (running++ === 0) setFlagsFromString('--optimize-for-size');
}

/** A turn later: what follows a write at once, as reading its changes does, is part of the work. */
function end(): void {
  setImmediate(() => {
    if (--running === 0) setFlagsFromString('--no-optimize-for-size');
  });
}
