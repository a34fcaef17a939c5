// SPDX-License-Identifier: GPL-3.0-or-later
// Runs where CLASSPATH names Tetrad's library, in a version that this Java reads, and what it needs.
class HasTetrad {
    public static void main(String[] words) {
        new edu.cmu.tetrad.algcomparison.algorithm.oracle.cpdag.Fges();
        edu.cmu.tetrad.util.ParamDescriptions.getInstance(); // which needs jsoup
    }
}
