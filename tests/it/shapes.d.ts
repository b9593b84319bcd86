// What the tools take and answer. Generated from their contract: a change made here is lost with the next export.

/** What `odd__words` takes. */
export type Odd_WordsInput = {
  /** A word. */
  word: string;
};

/** What `odd__words` answers. */
export type Odd_WordsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `odd_answers` takes. */
export type OddAnswersInput = {
  /** A word. */
  word: string;
};

/** What `odd_answers` answers. */
export type OddAnswersOutput = {
  /**
   * Two places.
   * @minItems 2
   * @maxItems 2
   */
  pair: [number, string];
  /** Any JSON. */
  anything: unknown;
  /** A number or a text. */
  untagged: number | string;
  /** Ends no comment: *\/ export const broken = 1; /* */
  closing: string | null;
  /** Many of them. */
  many: Array<number | string | null>;
  /** Words that mean something else elsewhere. */
  new: boolean;
  /** Another. */
  readonly: boolean | null;
  /** A third. */
  constructor: number;
  /** A fourth. */
  __proto__: string;
  [key: string]: unknown;
};

/** What `odd_words` takes. */
export type OddWordsInput = {
  /** A word. */
  word: string;
};

/** What `odd_words` answers. */
export type OddWordsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `odd_words1` takes. */
export type OddWords1Input = {
  /** A word. */
  word: string;
};

/** What `odd_words1` answers. */
export type OddWords1Output = {
  /** Always true. */
  ok: boolean;
};

/** What `odd_words_1` takes. */
export type OddWords_1Input = {
  /** A word. */
  word: string;
};

/** What `odd_words_1` answers. */
export type OddWords_1Output = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_address` takes. */
export type ShapeAddressInput = {
  /**
   * The member.
   * @format ipv4
   */
  member: string;
};

/** What `shape_address` answers. */
export type ShapeAddressOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_adjacent_union` takes. */
export type ShapeAdjacentUnionInput = {
  /** The member. */
  member:
    /** A number. */
    | {
      kind: "number";
      /**
       * The number.
       * @minimum 0
       * @maximum 4294967295
       */
      value: number;
    }
    /** Nothing. */
    | {
      kind: "nothing";
    };
};

/** What `shape_adjacent_union` answers. */
export type ShapeAdjacentUnionOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_boolean` takes. */
export type ShapeBooleanInput = {
  /** The member. */
  member: boolean;
};

/** What `shape_boolean` answers. */
export type ShapeBooleanOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_byte` takes. */
export type ShapeByteInput = {
  /**
   * The member.
   * @minimum 0
   * @maximum 255
   */
  member: number;
};

/** What `shape_byte` answers. */
export type ShapeByteOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_character` takes. */
export type ShapeCharacterInput = {
  /**
   * The member.
   * @minLength 1
   * @maxLength 1
   */
  member: string;
};

/** What `shape_character` answers. */
export type ShapeCharacterOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_defaulted` takes. */
export type ShapeDefaultedInput = {
  /**
   * The member.
   * @minimum 0
   * @maximum 4294967295
   * @default 0
   */
  member?: number;
};

/** What `shape_defaulted` answers. */
export type ShapeDefaultedOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_defaulted_words` takes. */
export type ShapeDefaultedWordsInput = {
  /**
   * The member.
   *
   * - `fine`: Not at all.
   * - `bad`: Very.
   * @default fine
   */
  member?: "fine" | "bad";
};

/** What `shape_defaulted_words` answers. */
export type ShapeDefaultedWordsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_documented_words` takes. */
export type ShapeDocumentedWordsInput = {
  /**
   * The member.
   *
   * - `fine`: Not at all.
   * - `bad`: Very.
   */
  member: "fine" | "bad";
};

/** What `shape_documented_words` answers. */
export type ShapeDocumentedWordsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_double` takes. */
export type ShapeDoubleInput = {
  /** The member. */
  member: number;
};

/** What `shape_double` answers. */
export type ShapeDoubleOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_external_union` takes. */
export type ShapeExternalUnionInput = {
  /** The member. */
  member:
    /** All of it. */
    | "all"
    /** One pull request. */
    | {
      /**
       * @minimum 0
       * @maximum 4294967295
       */
      pr: number;
    };
};

/** What `shape_external_union` answers. */
export type ShapeExternalUnionOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_fixed_array` takes. */
export type ShapeFixedArrayInput = {
  /**
   * The member.
   * @minItems 3
   * @maxItems 3
   * @items minimum 0, maximum 255
   */
  member: [number, number, number];
};

/** What `shape_fixed_array` answers. */
export type ShapeFixedArrayOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_integer` takes. */
export type ShapeIntegerInput = {
  /**
   * The member.
   * @minimum -9007199254740991
   * @maximum 9007199254740991
   */
  member: number;
};

/** What `shape_integer` answers. */
export type ShapeIntegerOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_internal_union` takes. */
export type ShapeInternalUnionInput = {
  /** The member. */
  member:
    /** One repository. */
    | {
      kind: "one";
      /** Its name. */
      repo: string;
    }
    /** All of them. */
    | {
      kind: "all";
    };
};

/** What `shape_internal_union` answers. */
export type ShapeInternalUnionOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_link` takes. */
export type ShapeLinkInput = {
  /**
   * The member.
   * @format uri
   */
  member: string;
};

/** What `shape_link` answers. */
export type ShapeLinkOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_list` takes. */
export type ShapeListInput = {
  /** The member. */
  member: string[];
};

/** What `shape_list` answers. */
export type ShapeListOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_list_of_optional` takes. */
export type ShapeListOfOptionalInput = {
  /** The member. */
  member: Array<string | null>;
};

/** What `shape_list_of_optional` answers. */
export type ShapeListOfOptionalOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_list_of_structs` takes. */
export type ShapeListOfStructsInput = {
  /** The member. */
  member: Array<{
    /**
     * A number.
     * @minimum 0
     * @maximum 4294967295
     */
    number: number;
    /** Words. */
    words?: string;
  }>;
};

/** What `shape_list_of_structs` answers. */
export type ShapeListOfStructsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_list_of_unions` takes. */
export type ShapeListOfUnionsInput = {
  /** The member. */
  member: Array<
    /** One repository. */
    | {
      kind: "one";
      /** Its name. */
      repo: string;
    }
    /** All of them. */
    | {
      kind: "all";
    }>;
};

/** What `shape_list_of_unions` answers. */
export type ShapeListOfUnionsOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_nested` takes. */
export type ShapeNestedInput = {
  /** The member. */
  member: {
    /**
     * A number.
     * @minimum 0
     * @maximum 4294967295
     */
    number: number;
    /** Words. */
    words?: string;
  };
};

/** What `shape_nested` answers. */
export type ShapeNestedOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_optional_enum` takes. */
export type ShapeOptionalEnumInput = {
  /**
   * The member.
   *
   * How bad it is.
   *
   * - `fine`: Not at all.
   * - `bad`: Very.
   */
  member?: "fine" | "bad";
};

/** What `shape_optional_enum` answers. */
export type ShapeOptionalEnumOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_optional_struct` takes. */
export type ShapeOptionalStructInput = {
  /** The member. */
  member?: {
    /**
     * A number.
     * @minimum 0
     * @maximum 4294967295
     */
    number: number;
    /** Words. */
    words?: string;
  };
};

/** What `shape_optional_struct` answers. */
export type ShapeOptionalStructOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_optional_text` takes. */
export type ShapeOptionalTextInput = {
  /** The member. */
  member?: string;
};

/** What `shape_optional_text` answers. */
export type ShapeOptionalTextOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_optional_union` takes. */
export type ShapeOptionalUnionInput = {
  /** The member. */
  member?:
    /** One repository. */
    | {
      kind: "one";
      /** Its name. */
      repo: string;
    }
    /** All of them. */
    | {
      kind: "all";
    };
};

/** What `shape_optional_union` answers. */
export type ShapeOptionalUnionOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_set` takes. */
export type ShapeSetInput = {
  /**
   * The member.
   * @uniqueItems true
   */
  member: string[];
};

/** What `shape_set` answers. */
export type ShapeSetOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_struct_map` takes. */
export type ShapeStructMapInput = {
  /** The member. */
  member: { [key: string]: {
    /**
     * A number.
     * @minimum 0
     * @maximum 4294967295
     */
    number: number;
    /** Words. */
    words?: string;
  } };
};

/** What `shape_struct_map` answers. */
export type ShapeStructMapOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_text` takes. */
export type ShapeTextInput = {
  /** The member. */
  member: string;
};

/** What `shape_text` answers. */
export type ShapeTextOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_text_map` takes. */
export type ShapeTextMapInput = {
  /** The member. */
  member: { [key: string]: string };
};

/** What `shape_text_map` answers. */
export type ShapeTextMapOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_unsigned` takes. */
export type ShapeUnsignedInput = {
  /**
   * The member.
   * @minimum 0
   * @maximum 4294967295
   */
  member: number;
};

/** What `shape_unsigned` answers. */
export type ShapeUnsignedOutput = {
  /** Always true. */
  ok: boolean;
};

/** What `shape_words` takes. */
export type ShapeWordsInput = {
  /** The member. */
  member: "one" | "two_words";
};

/** What `shape_words` answers. */
export type ShapeWordsOutput = {
  /** Always true. */
  ok: boolean;
};

/** The name of a tool. */
export type ToolName =
  | "odd__words"
  | "odd_answers"
  | "odd_words"
  | "odd_words1"
  | "odd_words_1"
  | "shape_address"
  | "shape_adjacent_union"
  | "shape_boolean"
  | "shape_byte"
  | "shape_character"
  | "shape_defaulted"
  | "shape_defaulted_words"
  | "shape_documented_words"
  | "shape_double"
  | "shape_external_union"
  | "shape_fixed_array"
  | "shape_integer"
  | "shape_internal_union"
  | "shape_link"
  | "shape_list"
  | "shape_list_of_optional"
  | "shape_list_of_structs"
  | "shape_list_of_unions"
  | "shape_nested"
  | "shape_optional_enum"
  | "shape_optional_struct"
  | "shape_optional_text"
  | "shape_optional_union"
  | "shape_set"
  | "shape_struct_map"
  | "shape_text"
  | "shape_text_map"
  | "shape_unsigned"
  | "shape_words";

/** What each tool takes and answers. */
export type ToolContracts = {
  /**
   * A name that differs from another one by an underscore.
   *
   * Category utility, level public, remote, both.
   */
  odd__words: { input: Odd_WordsInput; output: Odd_WordsOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  odd_answers: { input: OddAnswersInput; output: OddAnswersOutput };
  /**
   * Words that end no comment: *\/ export const broken = 1; /*
   *
   * @deprecated or so `${1}`.
   *
   * Category utility, level public, remote, both.
   */
  odd_words: { input: OddWordsInput; output: OddWordsOutput };
  /**
   * A name that ends in a number.
   *
   * Category utility, level public, remote, both.
   */
  odd_words1: { input: OddWords1Input; output: OddWords1Output };
  /**
   * A name that ends in a number after an underscore.
   *
   * Category utility, level public, remote, both.
   */
  odd_words_1: { input: OddWords_1Input; output: OddWords_1Output };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_address: { input: ShapeAddressInput; output: ShapeAddressOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_adjacent_union: { input: ShapeAdjacentUnionInput; output: ShapeAdjacentUnionOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_boolean: { input: ShapeBooleanInput; output: ShapeBooleanOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_byte: { input: ShapeByteInput; output: ShapeByteOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_character: { input: ShapeCharacterInput; output: ShapeCharacterOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_defaulted: { input: ShapeDefaultedInput; output: ShapeDefaultedOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_defaulted_words: { input: ShapeDefaultedWordsInput; output: ShapeDefaultedWordsOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_documented_words: { input: ShapeDocumentedWordsInput; output: ShapeDocumentedWordsOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_double: { input: ShapeDoubleInput; output: ShapeDoubleOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_external_union: { input: ShapeExternalUnionInput; output: ShapeExternalUnionOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_fixed_array: { input: ShapeFixedArrayInput; output: ShapeFixedArrayOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_integer: { input: ShapeIntegerInput; output: ShapeIntegerOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_internal_union: { input: ShapeInternalUnionInput; output: ShapeInternalUnionOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_link: { input: ShapeLinkInput; output: ShapeLinkOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_list: { input: ShapeListInput; output: ShapeListOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_list_of_optional: { input: ShapeListOfOptionalInput; output: ShapeListOfOptionalOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_list_of_structs: { input: ShapeListOfStructsInput; output: ShapeListOfStructsOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_list_of_unions: { input: ShapeListOfUnionsInput; output: ShapeListOfUnionsOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_nested: { input: ShapeNestedInput; output: ShapeNestedOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_optional_enum: { input: ShapeOptionalEnumInput; output: ShapeOptionalEnumOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_optional_struct: { input: ShapeOptionalStructInput; output: ShapeOptionalStructOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_optional_text: { input: ShapeOptionalTextInput; output: ShapeOptionalTextOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_optional_union: { input: ShapeOptionalUnionInput; output: ShapeOptionalUnionOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_set: { input: ShapeSetInput; output: ShapeSetOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_struct_map: { input: ShapeStructMapInput; output: ShapeStructMapOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_text: { input: ShapeTextInput; output: ShapeTextOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_text_map: { input: ShapeTextMapInput; output: ShapeTextMapOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_unsigned: { input: ShapeUnsignedInput; output: ShapeUnsignedOutput };
  /**
   * Takes something and answers nothing of interest.
   *
   * Category utility, level public, remote, both.
   */
  shape_words: { input: ShapeWordsInput; output: ShapeWordsOutput };
};

/** What a tool takes. */
export type InputOf<Name extends keyof ToolContracts> = ToolContracts[Name]["input"];

/** What a tool answers. */
export type OutputOf<Name extends keyof ToolContracts> = ToolContracts[Name]["output"];
