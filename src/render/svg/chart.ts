import type { ChartRole } from './theme';

/** A stretch of a stack: from where on, how much. */
export interface StackRow {
  /** Where on the axis it begins. */
  readonly at: number;
  /** One value a layer, from the bottom up. */
  readonly values: readonly number[];
}

/** What is stacked, and what the reader is told it is. */
export interface ChartLayer {
  readonly name: string;
  readonly role: ChartRole | 'gone' | 'refused';
}

/** A line over the whole width. */
export interface ChartLevel {
  readonly name: string;
  readonly role: ChartRole;
  readonly at: number;
}

/** A stretch between two values, over the whole width. */
export interface ChartBand {
  readonly name: string;
  readonly role: ChartRole;
  readonly from: number;
  readonly to: number;
}

/** Where it stands still. */
export interface ChartStop {
  readonly at: number;
  readonly text: string;
}

/** A mark on the axis. */
export interface AxisTick {
  readonly at: number;
  readonly text: string;
}

/** Layers over time, in one frame. */
export interface StackPanel {
  readonly kind: 'stack';
  /** What is counted, which stands over the axis: `pods`. */
  readonly unit: string;
  readonly rows: readonly StackRow[];
  readonly layers: readonly ChartLayer[];
  readonly levels: readonly ChartLevel[];
  readonly bands: readonly ChartBand[];
  readonly stop?: ChartStop;
  /** Where it waits for more than pods: a promotion, a time, an analysis. */
  readonly pauses?: readonly number[];
  /** Is it one of several that are alike, and lower each? @default false */
  readonly isLow?: boolean;
  /** Is room kept for words about where it stands still, since what it is drawn beside has them? @default false */
  readonly keepsStopRoom?: boolean;
  /** The greatest value that the axis has to show, besides what is drawn. */
  readonly axisMaximum?: number;
  /** Rows that are not there, from one place on the axis to another. */
  readonly gap?: { readonly from: number; readonly to: number; readonly text: string };
}

/** One bar a line, filled over time: the partitions of a bundle. */
export interface TrackPanel {
  readonly kind: 'tracks';
  readonly heading: string;
  readonly tracks: readonly Track[];
  readonly layers: readonly ChartLayer[];
  readonly stop?: ChartStop;
  readonly keepsStopRoom?: boolean;
}

/** A bar that fills up. */
export interface Track {
  readonly name: string;
  /** What stands behind the name: `12 of 14 clusters`. */
  readonly note: string;
  /** The whole of it. */
  readonly size: number;
  /** From where on the axis how much of it is filled. */
  readonly rows: readonly { readonly at: number; readonly value: number }[];
}

/** One line an ordinal or a node, a cell for every step. */
export interface GridPanel {
  readonly kind: 'grid';
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly cells: readonly ChartLayer['role'][] }[];
  /** Where each column of cells begins on the axis. @default - 0, 1, 2, … */
  readonly starts?: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly stop?: ChartStop;
  readonly keepsStopRoom?: boolean;
}

/** The axis that all panels of a picture share. */
export interface TimeAxis {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Where marks stand; chosen by the width where there are none. */
  readonly ticks?: readonly AxisTick[];
}

/** A picture of one rollout, before anything is measured. */
export interface Chart {
  /** What it is of: `Deployment shop/web`. */
  readonly title: string;
  /** What becomes of it, in a line. */
  readonly outcome: string;
  readonly isStuck: boolean;
  readonly parts: readonly { readonly axis: TimeAxis; readonly panels: readonly (StackPanel | TrackPanel | GridPanel)[] }[];
  /** Said below the picture. */
  readonly notes: readonly string[];
}
