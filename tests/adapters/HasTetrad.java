// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles where CLASSPATH names Tetrad's library, in a version that this Java reads.
class HasTetrad {
    public static void main(String[] words) {
        new edu.cmu.tetrad.algcomparison.algorithm.oracle.cpdag.Fges();
    }
}
