import type { ChartRole } from './theme';

/** A segment of a stack: its start and its values. */
export interface StackRow {
  /** Start on the axis. */
  readonly at: number;
  /** One value per layer, from the bottom up. */
  readonly values: readonly number[];
}

/** A stacked layer and its label. */
export interface ChartLayer {
  readonly name: string;
  readonly role: ChartRole | 'gone' | 'refused';
}

/** A line over the full width. */
export interface ChartLevel {
  readonly name: string;
  readonly role: ChartRole;
  readonly at: number;
}

/** A band between two values, over the full width. */
export interface ChartBand {
  readonly name: string;
  readonly role: ChartRole;
  readonly from: number;
  readonly to: number;
}

/** Position where the rollout stops. */
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
  /** What is counted, shown above the axis: `pods`. */
  readonly unit: string;
  readonly rows: readonly StackRow[];
  readonly layers: readonly ChartLayer[];
  readonly levels: readonly ChartLevel[];
  readonly bands: readonly ChartBand[];
  readonly stop?: ChartStop;
  /** Positions of waits for more than pods: a promotion, a time, an analysis. */
  readonly pauses?: readonly number[];
  /** Whether it is one of several similar panels, drawn lower. @default false */
  readonly isLow?: boolean;
  /** Whether space is reserved for the text of a stop, because the picture next to it has one. @default false */
  readonly reservesStopSpace?: boolean;
  /** Smallest maximum of the axis, even if nothing drawn is that high. */
  readonly axisMaximum?: number;
  /** Range of the axis whose rows are left out. */
  readonly gap?: { readonly from: number; readonly to: number; readonly text: string };
}

/** One bar per line, filled over time: the partitions of a bundle. */
export interface TrackPanel {
  readonly kind: 'tracks';
  readonly heading: string;
  readonly tracks: readonly Track[];
  readonly layers: readonly ChartLayer[];
  readonly stop?: ChartStop;
  readonly reservesStopSpace?: boolean;
}

/** A bar that fills up. */
export interface Track {
  readonly name: string;
  /** Text after the name: `12 of 14 clusters`. */
  readonly note: string;
  /** Value of a full bar. */
  readonly size: number;
  /** Filled value from each position of the axis. */
  readonly rows: readonly { readonly at: number; readonly value: number }[];
}

/** One line per ordinal or node, with a cell for every step. */
export interface GridPanel {
  readonly kind: 'grid';
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly cells: readonly ChartLayer['role'][] }[];
  /** Start of each column of cells on the axis. @default - 0, 1, 2, … */
  readonly starts?: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly stop?: ChartStop;
  readonly reservesStopSpace?: boolean;
}

/** The axis that all panels of a picture share. */
export interface TimeAxis {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Marks of the axis. @default - chosen by the width */
  readonly ticks?: readonly AxisTick[];
}

/** A picture of one rollout before layout. */
export interface Chart {
  /** The rollout: `Deployment shop/web`. */
  readonly title: string;
  /** Outcome, in one line. */
  readonly outcome: string;
  readonly isStuck: boolean;
  readonly parts: readonly { readonly axis: TimeAxis; readonly panels: readonly (StackPanel | TrackPanel | GridPanel)[] }[];
  /** Lines below the picture. */
  readonly notes: readonly string[];
}
