// What the build and browsers give the page's scripts that TypeScript does not know of.

/** The games of this page, made by `build.py`. */
declare const GAMES: any[];

/** Where a game stands, as the engine tells it; of a game that is open there is much more. */
interface Told {
  stage: string;
  [name: string]: any;
}

// What stands before `engine.mjs` in its worker.
declare const createPyodideModule: unknown;
declare const pyodide: { loadPyodide(given: object): Promise<any> };
declare var sodium: any;
declare const INFO: object;

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

// What is asked for by a selector or heard in an event is whatever the page put there.
interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Event {
  readonly target: any;
}
